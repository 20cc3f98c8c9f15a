import { expect, type Locator } from '@playwright/test'

/** Resolves to where an element is from the top of the window once it stays there: rows that are drawn late move it. */
export async function settledY(element: Locator): Promise<number> {
  let y = Number.NaN
  const isSettled = async () => {
    const before = y
    y = (await element.boundingBox())?.y ?? Number.NaN
    return y === before
  }
  await expect.poll(isSettled, { intervals: [100] }).toBe(true)
  return y
}
