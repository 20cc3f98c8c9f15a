/**
 * `npm run pictures [folder [state ...]]`: takes screenshots of every screen and state, or of the named states, at four
 * widths in both colour modes. Without a folder it retakes only the README's picture. Options, behind `--`:
 *
 *     --language de        en, de or ar
 *     --screens 320,low    of 390, 820, 1440, 2560; 320; low (a phone on its side); zoom (1280 x 720 at 200 %)
 *     --modes light        dark, light
 *     --scrollbars         with the scrollbars of a desktop, which take width
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Language, languageCookie, languages } from '@earshot/core/protocol/languages'
import { chromium, type Page } from '@playwright/test'
import { findUserByAnyName, writeAdmin } from '../../server/src/db/users.ts'
import { signIn } from '../support/accounts.ts'
import { startApp, type App } from '../support/app.ts'
import { contextOptions, launchOptions, openBrowser, type Browser } from '../support/browser.ts'
import { startProviders } from './picture-providers.ts'
import { fillCrowdedRoom, fillRooms } from './picture-rooms.ts'
import {
  isProviderViewer,
  type OpenViewer,
  type PictureRooms,
  type PictureState,
  type Viewer,
} from './picture-state.ts'
import { pictureStates } from './picture-states.ts'
import { readTexts, type Texts } from './picture-texts.ts'
import { openTab, waitUntilInSync } from '../support/room-page.ts'

const allScreens: Record<string, { width: number; height: number }> = {
  '390': { width: 390, height: 844 },
  '820': { width: 820, height: 1180 },
  '1440': { width: 1440, height: 900 },
  '2560': { width: 2560, height: 1440 },
  '320': { width: 320, height: 640 },
  low: { width: 844, height: 390 },
  zoom: { width: 640, height: 360 },
}
const readmePicture = join(import.meta.dirname, '..', '..', 'docs', 'pictures', 'room.png')
const ownerName = 'Nora'
const listenerNames = ['Theo', 'Mina', 'Jun', 'Ada'] as const
/** Of the others who have an account. */
const accountNames: Partial<Record<Viewer, string>> & { admin: string } = {
  admin: 'Ines',
  blocked: 'Iris',
  stranger: 'Otto',
  watcher: 'Lena',
  unconnected: 'Emil',
}
/** What a picture may wait for: covers, fonts and short motions. */
const settleMs = 500
/** A state that is not reached by then is named and left out. */
const reachMs = 15_000

interface Options {
  language: Language
  screens: string[]
  modes: string[]
  hasScrollbars: boolean
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      language: { type: 'string', default: 'en' },
      screens: { type: 'string', default: '390,820,1440,2560' },
      modes: { type: 'string', default: 'dark,light' },
      scrollbars: { type: 'boolean', default: false },
    },
  })
  const [folder, ...names] = positionals
  const language = languages.find((each) => each === values.language)
  if (!language) throw new Error(`No such language: ${values.language}`)
  const options: Options = {
    language,
    screens: values.screens.split(','),
    modes: values.modes.split(','),
    hasScrollbars: values.scrollbars,
  }
  const app = await startApp()
  const states = pictureStates.filter(
    ({ name }) => folder !== undefined && (names.length === 0 || names.includes(name)),
  )
  const providers = states.some(({ viewer }) => isProviderViewer(viewer)) ? await startProviders() : null
  const people = await openPeople(app, options)
  const [owner, listener] = people
  const crowd = new AbortController()
  try {
    const rooms = await fillRooms(app, owner, people.slice(1))
    if (folder === undefined) return await takeReadmePicture(owner.page)
    const crowded = await fillCrowdedRoom(app, owner, crowd.signal)
    mkdirSync(folder, { recursive: true })
    const appOf = (viewer: Viewer) => (isProviderViewer(viewer) && providers ? providers.app : app)
    const open = openViewers(appOf, { owner, listener }, options, people)
    const borrowed = await providers?.fillRooms(await open('watcher'))
    const all = { ...rooms, crowded, video: '', spotify: '', ...borrowed }
    const take = { folder, rooms: all, texts: await readTexts(language), open, options }
    for (const state of states) await takeState(appOf(state.viewer), state, take)
  } finally {
    crowd.abort()
    await Promise.all(people.map((person) => person.close()))
    await Promise.all([app.stop(), providers?.stop()])
  }
}

/** Opens the owner's page, and those of listeners, who share one browser: several cost more than one machine can play. */
async function openPeople(app: App, options: Options): Promise<[Browser, Browser, ...Browser[]]> {
  const owner = await openBrowser(options)
  await signIn(app, owner.context, ownerName)
  const shared = await chromium.launch(launchOptions(options))
  const openListener = async (name: string): Promise<Browser> => {
    const context = await shared.newContext(contextOptions)
    await signIn(app, context, name)
    return { context, page: await context.newPage(), close: () => shared.close() }
  }
  const [first, ...others] = listenerNames
  return [owner, await openListener(first), ...(await Promise.all(others.map(openListener)))]
}

/** Returns what opens a viewer's page, once and in the language; `people` gets those who are opened. */
function openViewers(
  appOf: (viewer: Viewer) => App,
  members: Record<'owner' | 'listener', Browser>,
  options: Options,
  people: Browser[],
): OpenViewer {
  const opened: Partial<Record<Viewer, Browser>> = {}
  const open = async (viewer: Viewer): Promise<Browser> => {
    if (viewer === 'owner' || viewer === 'listener') return members[viewer]
    const app = appOf(viewer)
    const browser = await openBrowser({ ...options, mayAutoplay: viewer !== 'blocked' })
    people.push(browser)
    const name = accountNames[viewer]
    if (name !== undefined) await signIn(app, browser.context, name)
    if (viewer === 'admin') await makeAdministrator(app, accountNames.admin)
    return browser
  }
  return async (viewer) => {
    const browser = (opened[viewer] ??= await open(viewer))
    await browser.context.addCookies([
      { name: languageCookie, value: options.language, url: appOf(viewer).url },
    ])
    return browser.page
  }
}

async function makeAdministrator(app: App, name: string): Promise<void> {
  const db = await app.database()
  const user = await findUserByAnyName(db, name)
  if (user) await writeAdmin(db, user.id, true)
}

async function takeReadmePicture(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1366, height: 768 })
  await openTab(page, 'Chat')
  await page.waitForTimeout(6_000) // until the notices are gone
  await waitUntilInSync(page)
  mkdirSync(join(readmePicture, '..'), { recursive: true })
  await page.screenshot({ path: readmePicture })
}

interface Take {
  folder: string
  rooms: PictureRooms
  texts: Texts
  open: OpenViewer
  options: Options
}

async function takeState(app: App, state: PictureState, { open, ...take }: Take): Promise<void> {
  const { name, viewer, path, prepare, leave } = state
  const page = await open(viewer)
  page.setDefaultTimeout(reachMs)
  await page.setViewportSize({ width: 1440, height: 900 })
  try {
    if (path) {
      await page.goto(app.url + path(take.rooms))
      await page.waitForTimeout(3_000) // the first visit's splash
    }
    await prepare?.(page, take.texts, open)
    await takeSizes(page, state, take)
  } catch (error) {
    console.error(`No picture of ${name}:`, error)
  }
  await leave?.(page, take.texts).catch((error: unknown) => console.error(`Still in ${name}:`, error))
}

async function takeSizes(
  page: Page,
  { name, reveal }: PictureState,
  { folder, options: { screens, modes } }: Pick<Take, 'folder' | 'options'>,
): Promise<void> {
  for (const screen of screens) {
    const size = allScreens[screen]
    if (!size) throw new Error(`No such screen: ${screen}`)
    await page.setViewportSize(size)
    await reveal?.(page)
    for (const mode of modes) {
      // As the toggle does, which a dialog covers.
      await page.evaluate(
        (isLight) => document.documentElement.classList.toggle('scheme-light', isLight),
        mode === 'light',
      )
      await page.waitForTimeout(settleMs)
      await page.screenshot({ path: join(folder, `${name}-${screen}-${mode}.png`) })
    }
  }
}

await main()
