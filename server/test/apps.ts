import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@earshot/core/clock'
import { fromWireError, wireErrorSchema } from '@earshot/core/protocol/errors'
import { type Logger, pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type App, createApp } from '../src/compose.ts'
import { parseEnv } from '../src/env.ts'

/** Whole servers for tests: each on a free port and data of its own, closed when the test is over. */

export interface AppOptions {
  clock?: Clock
  dataDir?: string
  databaseUrl?: string
  redisUrl?: string
  /** Further variables of the configuration. */
  variables?: Record<string, string>
  logger?: Logger
  pageFolder?: string
}

export interface TestUser {
  id: string
  name: string
  /** What their browser would send. */
  cookie: string
}

export interface TestApp extends App {
  /** Calls the HTTP API as a user, or as nobody. Rejects with the error of the answer, as an AppError. */
  call<Answer>(user: TestUser | null, method: string, path: string, body?: unknown): Promise<Answer>
  /** Is run before the server closes. */
  atEnd(run: () => void): void
}

export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const dataDir = options.dataDir ?? (await makeDataDir())
  const env = parseEnv({
    PORT: '0',
    DATA_DIR: dataDir,
    MUSIC_DIR: await makeDataDir(),
    SECRET: 'a secret that only tests know, and long enough',
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl,
    ...options.variables,
  })
  const { clock, pageFolder, logger = pino({ level: 'error' }) } = options
  const app = await createApp({ env, logger, clock, pageFolder })
  const ends: (() => void)[] = []
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0)) end()
    await app.close()
  }
  onTestFinished(close)
  return {
    ...app,
    close,
    atEnd: (run) => void ends.push(run),
    call: (user, method, path, body) => call(app.address, user, method, path, body),
  }
}

/** A folder that is removed after the test. */
export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-app-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

/** Signs somebody up whose name is the part of their address before the @ sign. */
export async function signUp(app: Pick<App, 'address'>, name: string): Promise<TestUser> {
  const answer = await fetch(`${app.address}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.address },
    body: JSON.stringify({ email: `${name}@${randomUUID()}.example`, password: 'correct horse' }),
  })
  if (!answer.ok) throw new Error(`${name} could not sign up: ${answer.status} ${await answer.text()}`)
  const { user } = (await answer.json()) as { user: { id: string } }
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return { id: user.id, name, cookie }
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
