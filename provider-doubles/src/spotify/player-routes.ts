import type { Devices } from '@spotify/web-api-ts-sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyOf, urlOf } from '../double-server.ts'
import type { CatalogueTrack } from './catalogue.ts'
import type { PlaybackDevice, PlaybackSessions } from './playback-sessions.ts'
import type { DeviceEvent } from './sdk/messages.ts'
import { requireAccess, WebApiError } from './web-api-access.ts'
import type { WebApiState } from './web-api-state.ts'
import type { PlaybackAnswer } from './web-api-types.ts'

const readScope = ['user-read-playback-state']
const modifyScope = ['user-modify-playback-state']

/** Adds the player's part of the Web API. Commands act on devices through `sessions`. */
export function addPlayerRoutes(app: FastifyInstance, state: WebApiState, sessions: PlaybackSessions): void {
  app.get('/v1/me/player', (request, reply) => {
    const { user } = requireAccess(state.accounts, request, readScope)
    const device = sessions.activeDevice(user.id)
    if (!device) return reply.code(204).send()
    return reply.send(describePlayback(state, sessions, device))
  })

  app.get('/v1/me/player/devices', (request): Devices => {
    const { user } = requireAccess(state.accounts, request, readScope)
    const active = sessions.activeDevice(user.id)
    return {
      devices: sessions.devicesOf(user.id).map((device) => state.json.device(device, device === active)),
    }
  })

  const command = (path: string, toEvent: (request: FastifyRequest) => DeviceEvent | null) =>
    app.put(path, (request, reply) => {
      const device = requireDevice(state, sessions, request)
      const event = toEvent(request)
      if (event) sessions.command(device, event)
      return reply.code(204).send()
    })
  command('/v1/me/player/play', (request) => toPlay(state, readBody(request)))
  command('/v1/me/player/pause', () => ({ type: 'pause' }))
  command('/v1/me/player/seek', (request) => ({
    type: 'seek',
    positionMs: requirePosition(urlOf(request).searchParams.get('position_ms')),
  }))

  app.put('/v1/me/player', (request, reply) => transfer(state, sessions, request, reply))
}

function transfer(
  state: WebApiState,
  sessions: PlaybackSessions,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { device_ids: ids, play } = readBody(request)
  const deviceId = Array.isArray(ids) ? String(ids[0]) : null
  if (deviceId === null) throw new WebApiError(400, 'Missing device_ids')
  const device = requireDevice(state, sessions, request, deviceId)
  const former = sessions.activeDevice(device.userId)
  const track = state.tracks.find(({ id }) => id === former?.report.trackId)
  if (former && former !== device && track) {
    const isPlaying = play === true || !former.report.paused
    const positionMs = sessions.progressOf(former)
    sessions.command(device, { type: 'play', tracks: [state.json.sdkTrack(track)], positionMs })
    if (!isPlaying) sessions.command(device, { type: 'pause' })
  } else {
    sessions.command(device, { type: 'resume' })
  }
  return reply.code(204).send()
}

/** @throws WebApiError 401, 403 without Premium or scope, 404 */
function requireDevice(
  { accounts }: WebApiState,
  sessions: PlaybackSessions,
  request: FastifyRequest,
  deviceId = urlOf(request).searchParams.get('device_id'),
): PlaybackDevice {
  const { user } = requireAccess(accounts, request, modifyScope)
  if (!user.isPremium) {
    throw new WebApiError(403, 'Player command failed: Premium required', { reason: 'PREMIUM_REQUIRED' })
  }
  const device = sessions.findDevice(user.id, deviceId)
  if (device) return device
  if (deviceId !== null) throw new WebApiError(404, 'Device not found')
  throw new WebApiError(404, 'Player command failed: No active device found', { reason: 'NO_ACTIVE_DEVICE' })
}

/** Without `uris` the playback goes on. Null for what is accepted without effect. */
function toPlay({ tracks, json }: WebApiState, body: Record<string, unknown>): DeviceEvent | null {
  if (body['uris'] === undefined && body['context_uri'] === undefined) return { type: 'resume' }
  const uris = Array.isArray(body['uris']) ? body['uris'] : []
  const positionMs = body['position_ms'] === undefined ? 0 : requirePosition(body['position_ms'])
  const found = uris.map((uri) => findByUri(tracks, uri))
  if (found.length === 0) throw new WebApiError(400, 'Only uris are supported by this double')
  if (found.some(({ onStart }) => onStart === 'refused')) {
    throw new WebApiError(403, 'Player command failed: Restriction violated', { reason: 'UNKNOWN' })
  }
  if (found.some(({ onStart }) => onStart === 'ignored')) return null
  return { type: 'play', tracks: found.map((track) => json.sdkTrack(track)), positionMs }
}

function findByUri(tracks: readonly CatalogueTrack[], uri: unknown): CatalogueTrack {
  const [, id] = /^spotify:track:([0-9A-Za-z]{22})$/.exec(String(uri)) ?? []
  if (id === undefined) throw new WebApiError(400, `Unsupported uri kind: ${String(uri)}`)
  const track = tracks.find((candidate) => candidate.id === id)
  if (!track) throw new WebApiError(404, 'Resource not found')
  return track
}

function requirePosition(given: unknown): number {
  const positionMs = given === null || given === '' ? Number.NaN : Number(given)
  if (!Number.isInteger(positionMs)) throw new WebApiError(400, 'Invalid position_ms')
  if (positionMs < 0) throw new WebApiError(400, 'position_ms must be positive')
  return positionMs
}

function readBody(request: FastifyRequest): Record<string, unknown> {
  const text = bodyOf(request)
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return { ...body }
  } catch {
    // Answered below.
  }
  throw new WebApiError(400, 'Malformed json')
}

function describePlayback(
  { json, tracks }: WebApiState,
  sessions: PlaybackSessions,
  device: PlaybackDevice,
): PlaybackAnswer {
  const { report } = device
  const track = tracks.find(({ id }) => id === report.trackId)
  return {
    device: json.device(device, true),
    repeat_state: 'off',
    shuffle_state: false,
    context: null,
    timestamp: report.atMs,
    progress_ms: Math.round(sessions.progressOf(device)),
    is_playing: !report.paused,
    item: track ? json.track(track) : null,
    currently_playing_type: 'track',
    actions: report.paused ? { pausing: false } : { resuming: false },
  }
}
