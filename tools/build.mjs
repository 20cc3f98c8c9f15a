// `npm run build`: the page alone, for an image or a package.
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'

ensureInstalled({ withTools: false })
ensurePageBuilt()
