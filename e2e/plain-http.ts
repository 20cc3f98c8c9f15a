import type { App } from './app.ts'
import type { BrowserOptions } from './browser.ts'

/**
 * A server in a home network, under a name and over plain http: what browsers keep for secure addresses (WebCodecs,
 * the clipboard) is not there. The name exists only in the browsers that are told of it here.
 */
export const homeName = 'music.test'

const findsHome = `--host-resolver-rules=MAP ${homeName} 127.0.0.1`

/** A browser as such a server's guests have it. */
export const plainHttpBrowser: BrowserOptions = { args: [findsHome] }

/** A browser that takes the same address for secure, as if it were served over https. */
export const secureBrowser = (app: Pick<App, 'publicUrl'>): BrowserOptions => ({
  args: [findsHome, `--unsafely-treat-insecure-origin-as-secure=${app.publicUrl}`],
})
