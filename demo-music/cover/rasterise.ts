import { chromium } from '@playwright/test'
import { findBrowser } from '../../tools/system-packages.mjs'
import { coverSize, frameCover } from './shapes.ts'

const jpegQuality = 90

/**
 * Turns drawings into JPEG files of 600 x 600, in one browser for all. Without an installed Chromium Playwright's
 * own is used; throws if there is neither.
 */
export async function rasteriseCovers(drawings: readonly string[]): Promise<Buffer[]> {
  const executablePath = findBrowser()
  const browser = await chromium.launch({
    args: ['--no-sandbox'],
    ...(executablePath ? { executablePath } : {}),
  })
  try {
    const page = await browser.newPage({ viewport: { width: coverSize, height: coverSize } })
    const pictures: Buffer[] = []
    for (const drawing of drawings) {
      await page.setContent(`<style>body{margin:0}svg{display:block}</style>${frameCover(drawing)}`)
      pictures.push(await page.screenshot({ type: 'jpeg', quality: jpegQuality }))
    }
    return pictures
  } finally {
    await browser.close()
  }
}
