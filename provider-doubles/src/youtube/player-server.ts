import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { urlOf } from '../double-server.ts'
import { renderTrackWav } from '../track-sound.ts'
import type { Catalogue } from './catalogue.ts'
import { defaultBehaviour, type LoadedVideo, type PlayerBehaviour } from './player/behaviour.ts'
import { behaviourFromPrefix, isVideoId } from './prefixed-ids.ts'
import type { DoubleVideo } from './videos.ts'

export interface PlayerServerState {
  catalogue: Catalogue
  /** Behaviours that tests have set: of one video, or of all (`*`). */
  behaviours: Map<string, Partial<PlayerBehaviour>>
  /** Where the viewers are, as a code of two letters. */
  country: string
}

/** Longer videos sound, and can be played, only so far. */
const maxSoundMs = 12 * 60_000
const liveDurationMs = 60 * 60_000

/**
 * Adds the player's script (`/iframe_api`), the frame (`/embed/VIDEO`), its sounds, and the control of behaviours:
 * `PUT /control/behaviour/VIDEO` with JSON, `*` for all videos, `DELETE` for the default.
 */
export function addPlayerRoutes(app: FastifyInstance, origin: () => string, state: PlayerServerState): void {
  app.get('/iframe_api', (_request, reply) => sendScript(reply, loaderScript(origin())))
  app.get('/s/player/widget-api.js', (_request, reply) =>
    sendScript(reply, `(() => {${readBrowserCode('widget-api.ts')}})()`),
  )
  app.get('/s/player/:file', (request, reply) => {
    const { file } = request.params as { file: string }
    if (!/^[a-z-]+\.ts$/.test(file)) return reply.code(404).send()
    return sendScript(reply, readBrowserCode(file))
  })
  app.get('/embed/:videoId', sendFrame)
  app.get('/embed/', sendFrame)
  app.get('/watch-data/:videoId', (request) => describe(state, videoIdOf(request)))
  app.get('/sound/:file', (request, reply) => {
    const { file } = request.params as { file: string }
    const id = file.replace(/\.wav$/, '')
    const adMs = urlOf(request).searchParams.get('durationMs')
    return sendSound(request, reply, id, adMs === null ? soundMs(state.catalogue, id) : Number(adMs))
  })
  app.put('/control/behaviour/:videoId', (request, reply) => {
    state.behaviours.set(videoIdOf(request), JSON.parse(String(request.body)) as Partial<PlayerBehaviour>)
    return reply.code(204).send()
  })
  app.delete('/control/behaviour/:videoId', (request, reply) => {
    state.behaviours.delete(videoIdOf(request))
    return reply.code(204).send()
  })
}

const videoIdOf = (request: FastifyRequest): string => (request.params as { videoId: string }).videoId

const sendScript = (reply: FastifyReply, script: string) =>
  reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-store').send(script)

const readBrowserCode = (file: string): string =>
  stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'player', file), 'utf8'))

/** The small script that a page includes: it prepares `YT` and loads the rest. */
const loaderScript = (origin: string): string => `
window.YT ??= { loading: 0, loaded: 0 }
window.YTConfig ??= { host: ${JSON.stringify(origin)} }
if (!YT.loading) {
  YT.loading = 1
  const waiting = []
  YT.ready = (callback) => (YT.loaded ? callback() : waiting.push(callback))
  window.onYTReady = () => {
    YT.loaded = 1
    for (const callback of waiting) callback()
    window.onYouTubeIframeAPIReady?.()
  }
  const script = document.createElement('script')
  script.id = 'www-widgetapi-script'
  script.src = ${JSON.stringify(`${origin}/s/player/widget-api.js`)}
  script.async = true
  document.head.append(script)
}
`

function sendFrame(request: FastifyRequest, reply: FastifyReply) {
  const referer = request.headers.referer === undefined ? 'missing' : 'sent'
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en" data-referer="${referer}">
<title>YouTube double</title>
<style>html, body { margin: 0; height: 100%; background: #222 }</style>
<video preload="auto" playsinline style="width: 100%; height: 100%"></video>
<video playsinline hidden></video>
<script type="module" src="/s/player/embed-page.ts"></script>
</html>`)
}

/** Returns the part of a video that the frame needs. Videos that cannot be played carry the error they cause. */
function describe({ catalogue, behaviours, country }: PlayerServerState, videoId: string): LoadedVideo {
  const video = catalogue.find(videoId)
  return {
    id: videoId,
    title: video?.title ?? '',
    channelTitle: video?.channelTitle ?? '',
    durationMs: video?.isLive ? liveDurationMs : (video?.durationMs ?? 0),
    behaviour: {
      ...defaultBehaviour,
      error: isVideoId(videoId) ? errorOf(video, country) : 2,
      ...behaviourFromPrefix(videoId),
      ...behaviours.get('*'),
      ...behaviours.get(videoId),
    },
  }
}

function errorOf(video: DoubleVideo | null, country: string): number | null {
  if (!video || video.privacy === 'private') return 100
  const { regions } = video
  const isBlocked =
    regions !== null &&
    ('allowed' in regions ? !regions.allowed.includes(country) : regions.blocked.includes(country))
  return isBlocked || !video.isEmbeddable || video.isAgeRestricted ? 150 : null
}

function soundMs(catalogue: Catalogue, videoId: string): number {
  const video = catalogue.find(videoId)
  return Math.min(video?.isLive ? maxSoundMs : (video?.durationMs ?? 0), maxSoundMs)
}

/** The rendered sounds that were asked for last, oldest first: a minute takes 6 MB. */
const rendered = new Map<string, Buffer>()
const maxRendered = 4

function renderSound(id: string, durationMs: number): Buffer {
  const key = `${id} ${durationMs}`
  const wav = rendered.get(key) ?? renderTrackWav(`youtube:${id}`, durationMs)
  rendered.delete(key)
  rendered.set(key, wav)
  const [oldest] = rendered.keys()
  if (rendered.size > maxRendered && oldest !== undefined) rendered.delete(oldest)
  return wav
}

function sendSound(request: FastifyRequest, reply: FastifyReply, id: string, durationMs: number) {
  if (!(durationMs > 0)) return reply.code(404).send()
  const wav = renderSound(id, durationMs)
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const last = Math.min(to === '' ? Infinity : Number(to), wav.length - 1)
  if (Number(from) > last) return reply.code(416).header('content-range', `bytes */${wav.length}`).send()
  return reply
    .code(206)
    .type('audio/wav')
    .headers({ 'accept-ranges': 'bytes', 'content-range': `bytes ${from}-${last}/${wav.length}` })
    .send(wav.subarray(Number(from), last + 1))
}
