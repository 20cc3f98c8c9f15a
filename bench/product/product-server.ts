import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startApp, type App } from '@earshot/e2e/support/app'
import { makeNoiseWav } from '@earshot/e2e/sound/recording/noise-tracks'
import pLimit from 'p-limit'
import type { Defer } from '../defer.ts'
import { callApi } from './http-client.ts'

/** A running server with one long track and signed-in users. */
export interface ProductServer {
  app: App
  people: Person[]
  trackId: string
  musicDir: string
}

const trackSeconds = 300
const scanTimeoutMs = 20_000

/** Starts a server on a data folder of its own. `defer` stops it and removes its data. */
export async function startProductServer(
  defer: Defer,
  options: { people: number; env?: Record<string, string> },
): Promise<ProductServer> {
  const musicDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  defer(() => rmSync(musicDir, { recursive: true, force: true }))
  writeFileSync(
    join(musicDir, 'noise.wav'),
    makeNoiseWav({ seconds: trackSeconds, title: 'Long noise', seed: 1 }),
  )
  const app = await startApp({ musicDir, ...(options.env ? { env: options.env } : {}) })
  defer(() => app.stop())
  const people = await signUpPeople(app.url, options.people)
  return { app, people, musicDir, trackId: await findTrack(app.url, takeAt(people, 0)) }
}

/** Returns the user at an index. @throws RangeError where there is none */
export function takeAt(people: readonly Person[], index: number): Person {
  const person = people[index]
  if (!person) throw new RangeError(`There is no person ${index}`)
  return person
}

/** Waits for the library's track and resolves to its id. */
async function findTrack(url: string, person: Person): Promise<string> {
  const giveUpAt = performance.now() + scanTimeoutMs
  while (performance.now() < giveUpAt) {
    const { body } = await callApi({ method: 'GET', url: `${url}/api/library`, cookie: person.cookie })
    const [track] = (body as { tracks: { id: string }[] }).tracks
    if (track) return track.id
    await delay(100)
  }
  throw new Error(`The server did not find its music within ${scanTimeoutMs} ms`)
}

/** Creates a public room over the HTTP API. Resolves to its id. */
export async function makeRoom(server: Pick<ProductServer, 'app'>, owner: Person): Promise<string> {
  const { body } = await callApi({
    method: 'POST',
    url: `${server.app.url}/api/rooms`,
    body: { name: 'Bench' },
    cookie: owner.cookie,
    from: owner.from,
  })
  return (body as { id: string }).id
}

/** Makes the server measure a track's waveform now; it does so by itself half a minute after its start. */
export async function measureWaveform(
  { app, people }: Pick<ProductServer, 'app' | 'people'>,
  trackId: string,
): Promise<void> {
  await callApi({ method: 'GET', url: `${app.url}/api/tracks/${trackId}/waveform`, ...takeAt(people, 0) })
}

/** A signed-in user. */
export interface Person {
  /** The value of the `cookie` header. */
  cookie: string
  /** The loopback address of their requests. */
  from: string
}

const peoplePerAddress = 5
const signUpsAtATime = 2

/**
 * Registers users over the HTTP API, from several loopback addresses: the rate limit per address would delay them for
 * minutes.
 */
export async function signUpPeople(url: string, count: number): Promise<Person[]> {
  const numbers = Array.from({ length: count }, (_, index) => index)
  return await pLimit(signUpsAtATime).map(numbers, async (number) => {
    const from = `127.0.0.${2 + Math.floor(number / peoplePerAddress)}`
    const answer = await callApi({
      method: 'POST',
      url: `${url}/api/auth/sign-up/email`,
      body: { name: `listener${number}`, email: `listener${number}@example.com`, password: 'correct horse' },
      from,
    })
    const cookie = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
    if (cookie === '') throw new Error('Signing up gave no session')
    return { cookie, from }
  })
}
