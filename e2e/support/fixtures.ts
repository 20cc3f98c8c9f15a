import {
  test as base,
  expect as baseExpect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test'
import { signIn, type Account } from './accounts.ts'
import { startApp, type App, type AppOptions } from './app.ts'
import { contextOptions } from './browser.ts'
import { createRoom } from './rooms.ts'
import { workerFixtures, type WorkerFixtures } from './worker-fixtures.ts'

/** A signed-in account with a browser context and a page of its own. */
export interface Person extends Account {
  context: BrowserContext
  page: Page
}

interface TestFixtures {
  /** Options of a server of its own for each test; null: one that the worker keeps. */
  appOptions: AppOptions | null
  /** Environment variables of the server that the worker keeps. */
  serverEnv: Record<string, string>
  app: App
  /** The owner of `room`, and a second account. */
  owner: Person
  listener: Person
  room: { id: string; name: string; path: string }
}

/**
 * Page tests: one server and one browser per worker, new contexts, accounts and rooms per test. `page` is a visitor who is
 * not signed in. The splash is hidden, because it covers the page for two seconds after every load.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  ...workerFixtures,
  serverEnv: [{}, { option: true }],
  appOptions: [null, { option: true }],
  app: async ({ sharedApps, appOptions, serverEnv }, provide) => {
    if (!appOptions) return provide(await sharedApps.get(serverEnv))
    const app = await startApp(appOptions)
    await provide(app)
    await app.stop()
  },
  baseURL: async ({ app }, provide) => provide(app.url),
  context: async ({ context }, provide) => {
    await hideSplash(context)
    await provide(context)
  },
  owner: async ({ browser, app }, provide) => {
    const owner = await openPerson(browser, app, 'olivia')
    await provide(owner)
    await owner.context.close()
  },
  listener: async ({ browser, app }, provide) => {
    const listener = await openPerson(browser, app, 'liam')
    await provide(listener)
    await listener.context.close()
  },
  room: async ({ app, owner }, provide, testInfo) => {
    const name = `The Listening Room ${testInfo.testId.slice(-6)}`
    const id = await createRoom(app, owner.context, { name })
    await provide({ id, name, path: `/room/${id}` })
  },
})

/** Playwright slows down to one look a second, so that a wait would end half a second late. */
const pollIntervals = [100, 250]

const poll: typeof baseExpect.poll = (actual, options) =>
  baseExpect.poll(actual, {
    intervals: pollIntervals,
    ...(typeof options === 'string' ? { message: options } : options),
  })

export const expect: typeof baseExpect = new Proxy(baseExpect, {
  get: (target, name): unknown => (name === 'poll' ? poll : Reflect.get(target, name)),
})

/** Opens a context with one page and signs a new account in. Pages resolve relative addresses against the server. */
export async function openPerson(
  browser: Browser,
  app: App,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const context = await browser.newContext({ ...contextOptions, baseURL: app.publicUrl, ...options })
  await hideSplash(context)
  const account = await signIn(app, context, name, [options.baseURL ?? app.publicUrl])
  return { ...account, context, page: await context.newPage() }
}

/** A constructed style sheet, because the content security policy blocks injected style elements. */
export async function hideSplash(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const style = new CSSStyleSheet()
    style.replaceSync('#root > output.splash { display: none }')
    document.adoptedStyleSheets = [style]
  })
}
