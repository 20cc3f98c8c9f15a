import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import { fromWireError, wireErrorSchema } from '@earshot/core/protocol/errors'
import { type Logger, pino } from 'pino'
import { afterEach, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { type App, createApp } from '../src/compose/create-app.ts'
import type { Db } from '../src/db/database.ts'
import { parseEnv } from '../src/env/env.ts'
import { ask, cookiesOf } from './ask.ts'
import { borrowDatabase, lendDatabase } from './databases.ts'
import { makeFolder, makeLastingFolder, removeFolder } from './folders.ts'
import { insertSession, type SignedInUser } from './sign-in.ts'

/** Whole servers for tests: each on a free port and data of its own, closed when the test is over. */

export interface AppOptions {
  clock?: Clock
  dataDir?: string
  databaseUrl?: string
  redisUrl?: string
  /** Further variables of the configuration. Without MUSIC_DIR there is no music, and nothing looks for it. */
  variables?: Record<string, string>
  logger?: Logger
  pageFolder?: string
}

export type TestUser = Pick<SignedInUser, 'id' | 'name' | 'cookie'>

/** Signs the cookies of test apps that are not given another. */
const secret = 'a secret that only tests know, and long enough'

export interface TestApp extends App {
  secret: string
  /** Its data folder. */
  dataDir: string
  /** Calls the HTTP API as a user, or as nobody. Rejects with the error of the answer, as an AppError. */
  call<Answer>(user: TestUser | null, method: string, path: string, body?: unknown): Promise<Answer>
  /** Is run before the server closes, and after the test where it is shared. */
  atEnd(run: () => void): void
}

/** Starts a server of its own for the running test. Its SQLite database is in its data folder only where that is given. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const { dataDir = await makeFolder(), databaseUrl } = options
  const isLent = options.dataDir === undefined && databaseUrl === undefined
  const db = isLent ? await borrowDatabase() : undefined
  const { app } = await openApp({ ...options, db }, { DATA_DIR: dataDir, MUSIC_DIR: await makeFolder() })
  onTestFinished(() => app.close())
  return app
}

/**
 * Starts one server for all tests of a suite; call it where the suite is described. After each test its clients are
 * disconnected, and its users give up their names, which the next test has without a number. The rest stays, such as rooms,
 * accounts and points of rate limits: a test that counts them needs a server of its own. `options` may fill a folder that
 * lasts as long as the server.
 */
export function shareApp(options: AppOptions | ((folder: string) => Promise<AppOptions>) = {}): TestApp {
  const shared = {} as TestApp
  let endClients = (): void => {}
  beforeAll(async () => {
    const folder = await makeLastingFolder()
    const [DATA_DIR, MUSIC_DIR, given] = [join(folder, 'data'), join(folder, 'music'), join(folder, 'given')]
    for (const each of [DATA_DIR, MUSIC_DIR, given]) await mkdir(each)
    const chosen = typeof options === 'function' ? await options(given) : options
    const lent = chosen.databaseUrl === undefined ? await lendDatabase() : null
    const opened = await openApp({ ...chosen, db: lent?.db }, { DATA_DIR, MUSIC_DIR })
    Object.assign(shared, opened.app)
    endClients = opened.endClients
    return async () => {
      await shared.close()
      await lent?.giveBack()
      await removeFolder(folder)
    }
  })
  afterEach(async () => {
    endClients()
    await shared.db
      .updateTable('profiles')
      .set((row) => ({ name_key: row.ref('id'), name_look: row.ref('id') }))
      .execute()
    await vi.waitFor(() => expect(shared.socketCount()).toBe(0))
  })
  return shared
}

async function openApp(
  options: AppOptions & { db?: Db | undefined },
  folders: { DATA_DIR: string; MUSIC_DIR: string },
): Promise<{ app: TestApp; endClients: () => void }> {
  const env = parseEnv({
    PORT: '0',
    ...folders,
    SECRET: secret,
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl,
    ...options.variables,
  })
  const { clock, pageFolder, logger = pino({ level: 'error' }) } = options
  const app = await createApp({ env, logger, clock, pageFolder, db: options.db })
  if (options.variables?.['MUSIC_DIR'] !== undefined) app.startLibrary()
  const ends: (() => void)[] = []
  const endClients = (): void => {
    for (const end of ends.splice(0)) end()
  }
  const close = async (): Promise<void> => {
    endClients()
    await app.close()
  }
  const testApp: TestApp = {
    ...app,
    secret: env.secret ?? secret,
    dataDir: env.dataDir,
    close,
    atEnd: (run) => void ends.push(run),
    call: (user, method, path, body) => call(app.address, user, method, path, body),
  }
  return { app: testApp, endClients }
}

/** Adds a signed-in user to the app's database. */
export async function signUp(app: Pick<TestApp, 'db' | 'secret'>, name: string): Promise<TestUser> {
  return insertSession(app.db, app.secret, { name })
}

/** Signs a user up over HTTP, hashing a password. Their name is the part of the address before the @ sign. */
export async function signUpOverHttp({ address }: Pick<App, 'address'>, name: string): Promise<TestUser> {
  const answer = await ask(`${address}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { origin: address },
    body: { email: `${name}@${randomUUID()}.example`, password: 'correct horse' },
  })
  if (answer.status !== 200) throw new Error(`${name} could not sign up: ${answer.status} ${answer.text}`)
  const { user } = answer.json as { user: { id: string } }
  return { id: user.id, name, cookie: cookiesOf(answer) }
}

/** Enters a name as a guest, over HTTP. */
export async function enterAsGuest({ address }: Pick<App, 'address'>, name: string): Promise<TestUser> {
  const answer = await ask(`${address}/api/auth/sign-in/anonymous`, {
    method: 'POST',
    headers: { origin: address },
    body: { name },
  })
  if (answer.status !== 200) throw new Error(`${name} is no guest: ${answer.status} ${answer.text}`)
  const { user } = answer.json as { user: { id: string } }
  return { id: user.id, name, cookie: cookiesOf(answer) }
}

async function call<Answer>(
  address: string,
  user: TestUser | null,
  method: string,
  path: string,
  body: unknown,
): Promise<Answer> {
  const answer = await fetch(address + path, {
    method,
    headers: {
      origin: address,
      ...(user ? { cookie: user.cookie } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json = (await answer.json()) as { error?: unknown }
  if (!answer.ok) throw fromWireError(wireErrorSchema.parse(json.error))
  return json as Answer
}
