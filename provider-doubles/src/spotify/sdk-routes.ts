import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyOf, urlOf } from '../double-server.ts'
import { renderTrackWav } from '../track-sound.ts'
import type { AccountsState } from './accounts-state.ts'
import type { CatalogueTrack } from './catalogue.ts'
import type { PlaybackSessions } from './playback-sessions.ts'
import type { DeviceReport, RegisterAnswer } from './sdk/messages.ts'

interface SdkState {
  accounts: AccountsState
  sessions: PlaybackSessions
  tracks: CatalogueTrack[]
}

type Refusal = Exclude<RegisterAnswer, { deviceId: string }>
type DeviceRequest = FastifyRequest<{ Params: { id: string } }>

/** Adds the SDK's script, the document in its frame, its sounds, and the channel between devices and this server. */
export function addSdkRoutes(app: FastifyInstance, state: SdkState): void {
  addScripts(app)
  addSounds(app, state.tracks)
  addDeviceChannel(app, state)
}

const frameHtml =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Player</title><script type="module" src="/embedded/frame.ts"></script></html>'

function addScripts(app: FastifyInstance): void {
  app.get('/spotify-player.js', async (_request, reply) =>
    reply
      .type('text/javascript')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(await readScript('page-script')),
  )
  app.get('/embedded/index.html', (_request, reply) => reply.type('text/html').send(frameHtml))
  app.get<{ Params: { name: string } }>('/embedded/:name.ts', async ({ params: { name } }, reply) => {
    if (!/^[a-z-]+$/.test(name)) return reply.callNotFound()
    return reply.type('text/javascript').send(await readScript(name))
  })
}

/** Browsers get the scripts without their types. */
async function readScript(name: string): Promise<string> {
  return stripTypeScriptTypes(await readFile(join(import.meta.dirname, 'sdk', `${name}.ts`), 'utf8'))
}

function addSounds(app: FastifyInstance, tracks: readonly CatalogueTrack[]): void {
  app.get<{ Params: { id: string } }>('/sound/:id.wav', (request, reply) => {
    const track = tracks.find(({ id }) => id === request.params.id)
    const query = urlOf(request).searchParams
    const [from, seconds] = [Number(query.get('from')), Number(query.get('seconds'))]
    if (!track || !(from >= 0) || !(seconds > 0 && seconds <= 30)) return reply.callNotFound()
    const durationMs = Math.min(seconds * 1_000, track.durationMs - from * 1_000)
    return reply
      .type('audio/wav')
      .header('cache-control', 'public, max-age=3600')
      .send(renderTrackWav(track.id, Math.max(0, durationMs), undefined, from))
  })
}

function addDeviceChannel(app: FastifyInstance, { accounts, sessions }: SdkState): void {
  app.post('/sdk/devices', (request): RegisterAnswer => {
    const { token, name, volume } = JSON.parse(bodyOf(request)) as {
      token: string
      name: string
      volume: number
    }
    const refusal = refuseToken(accounts, token)
    if (refusal) return refusal
    const userId = accounts.accessTokens.get(token)?.userId ?? ''
    const { device, seed } = sessions.register(userId, name, volume, token)
    return { deviceId: device.id, seed, settings: sessions.sdkSettings }
  })

  app.get('/sdk/devices/:id/events', (request: DeviceRequest, reply) => {
    const device = sessions.devices.get(request.params.id)
    if (!device) return reply.callNotFound()
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    device.send = (event) => void reply.raw.write(`data: ${JSON.stringify(event)}\n\n`)
    if (device.isOnline) device.send({ type: 'online' })
    reply.raw.on('close', () => sessions.remove(device.id))
    return reply
  })

  app.post('/sdk/devices/:id/state', (request: DeviceRequest, reply) => {
    const device = sessions.devices.get(request.params.id)
    if (device) sessions.report(device, JSON.parse(bodyOf(request)) as DeviceReport)
    return reply.send({})
  })

  app.post('/sdk/devices/:id/token', (request: DeviceRequest): Refusal | Record<string, never> => {
    const { token } = JSON.parse(bodyOf(request)) as { token: string }
    const refusal = refuseToken(accounts, token)
    const device = sessions.devices.get(request.params.id)
    if (device && !refusal) device.accessToken = token
    return refusal ?? {}
  })

  app.post('/sdk/devices/:id/gone', (request: DeviceRequest, reply) => {
    sessions.remove(request.params.id)
    return reply.send({})
  })
}

/** Whether the player may not be used with a token, and with which of its events it says so. */
function refuseToken(accounts: AccountsState, given: string): Refusal | null {
  const token = accounts.accessTokens.get(given)
  const user = accounts.users.find(({ id }) => id === token?.userId)
  if (!token || !user || token.expiresAt <= accounts.clock.now()) {
    return { event: 'authentication_error', message: 'Authentication failed' }
  }
  if (!token.scopes.includes('streaming')) {
    return { event: 'authentication_error', message: 'Invalid token scopes.' }
  }
  if (!user.isPremium) {
    return { event: 'account_error', message: 'This functionality is restricted to premium users only' }
  }
  return null
}
