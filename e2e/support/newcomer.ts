import type { Locator, Page } from '@playwright/test'

/** How long a person takes to find and reach a button, and for a key: the keystroke-level model of an average typist. */
const pointMs = 1_100
const keyMs = 200

/** A person who sees a page for the first time: clicks on every field that does not have the focus. */
export function newcomer(page: Page) {
  let clicks = 0
  const click = async (target: Locator) => {
    await target.waitFor()
    await page.waitForTimeout(pointMs)
    await target.click()
    clicks += 1
  }
  const fill = async (field: Locator, text: string) => {
    await field.waitFor()
    const hasFocus = await field.evaluate((element) => element === document.activeElement)
    if (!hasFocus) await click(field)
    await page.keyboard.type(text, { delay: keyMs })
  }
  return { click, fill, clicks: () => clicks }
}
