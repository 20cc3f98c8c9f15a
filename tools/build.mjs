// `npm run build`: builds the page only, for an image or a package.
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt, isPageBuilt } from './page.mjs'

ensureInstalled(isPageBuilt() ? 'server' : 'page')
ensurePageBuilt()
