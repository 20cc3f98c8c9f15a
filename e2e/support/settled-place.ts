import { expect, type Locator } from '@playwright/test'

/** Resolves to where an element is from the top of the window once it stays there: rows that are drawn late move it. */
export async function settledY(element: Locator): Promise<number> {
  const seen: number[] = []
  const isSettled = async () => {
    seen.unshift((await element.boundingBox())?.y ?? Number.NaN)
    // Three times: a busy machine draws less often than this looks.
    return seen.length > 2 && seen[1] === seen[0] && seen[2] === seen[0]
  }
  await expect.poll(isSettled, { intervals: [200] }).toBe(true)
  return seen[0] ?? Number.NaN
}
