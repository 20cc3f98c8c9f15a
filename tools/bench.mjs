// `npm run bench [name ...]`: runs all measurements of bench/, or the named ones.
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'
import { ensureSystemPackages, findBrowser } from './system-packages.mjs'

ensureInstalled('all')
ensureSystemPackages(['chromium', 'postgresql', 'pulseaudio'])
if (process.argv.includes('sync-codecs')) ensureSystemPackages(['ffmpeg'])
ensurePageBuilt()
runInForeground(['bench/run.ts', ...process.argv.slice(2)], { CHROMIUM_PATH: findBrowser() ?? '' })
