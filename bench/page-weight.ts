import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApp } from '@earshot/e2e/support/app'
import { openBrowser } from '@earshot/e2e/support/browser'
import { limits } from '@earshot/core/limits'
import { withDefer } from './defer.ts'
import type { Measurement } from './measurement.ts'
import { compressedSize, listFirstLoad } from './product/first-load.ts'

const dist = join(import.meta.dirname, '..', 'web', 'dist')
const goalKb = 120

/** Measures the scripts and styles that a browser fetches before home is visible. */
export const pageWeight: Measurement = {
  name: 'page-weight',
  title: 'Scripts and styles that home needs, compressed with brotli',
  baseline: null,
  measure: async (log) => {
    const files = listFirstLoad((path) => readFileSync(join(dist, path), 'utf8'))
    const sizes = files.map((path) => ({ path, kb: compressedSize(readFileSync(join(dist, path))) / 1_000 }))
    for (const { path, kb } of sizes) log(`${kb.toFixed(1).padStart(6)} kB  ${path}`)
    const total = (ending: string) =>
      sizes.filter(({ path }) => path.endsWith(ending)).reduce((sum, { kb }) => sum + kb, 0)
    const [scripts, styles] = [total('.js'), total('.css')]
    return [
      { name: 'scripts and styles', unit: 'kB', value: scripts + styles, goal: goalKb },
      { name: 'scripts', unit: 'kB', value: scripts },
      { name: 'styles', unit: 'kB', value: styles },
      { name: 'files', unit: '', value: files.length },
      { name: 'with what follows by itself, in a browser', unit: 'kB', value: await weighInBrowser() },
    ]
  },
}

/** Opens home in a browser and sums the transferred scripts and styles until the network is idle, kB. */
async function weighInBrowser(): Promise<number> {
  return await withDefer(async (defer) => {
    const app = await startApp()
    defer(() => app.stop())
    const browser = await openBrowser()
    defer(() => browser.close())
    const { page } = browser
    await page.goto(app.url)
    await page.waitForTimeout(limits.splashMs) // until the splash is over
    await page.waitForLoadState('networkidle')
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry): entry is PerformanceResourceTiming => /\.(js|css)$/.test(entry.name))
        .reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    )
    return bytes / 1_000
  })
}
