import type { App } from './app.ts'
import type { BrowserOptions } from './browser.ts'

/**
 * A server under a host name over plain http, as in a home network. Browsers withhold the APIs of secure contexts there
 * (WebCodecs, the clipboard). The name resolves only in browsers with these options.
 */
export const homeName = 'music.test'

const resolveHomeName = `--host-resolver-rules=MAP ${homeName} 127.0.0.1`

/** A browser to which the server's origin is insecure. */
export const plainHttpBrowser: BrowserOptions = { args: [resolveHomeName] }

/** A browser that treats the same origin as secure, as if it were served over https. */
export const secureBrowser = (app: Pick<App, 'publicUrl'>): BrowserOptions => ({
  args: [resolveHomeName, `--unsafely-treat-insecure-origin-as-secure=${app.publicUrl}`],
})
