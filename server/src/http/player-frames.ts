import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env/env.ts'
import { type SecurityOptions, securityHeaders } from './security-headers.ts'

/** The document of one provider's player. */
interface PlayerFrame {
  path: string
  title: string
  /** The global function that the provider's script calls once it is ready. */
  readyCallback: string
  scriptUrl: URL
  /** The provider's Web API, which the page calls through the document's `fetch`. */
  apiUrl?: URL
  /** Origins that the script needs besides its own, by directive. */
  policy: { frameSrc: readonly string[]; connectSrc: readonly string[]; mediaSrc: readonly string[] }
}

const cacheS = 3_600

/** A provider's local double serves script, player and sound from several ports. */
const loopbackSources = ['http://127.0.0.1:*', 'http://localhost:*', 'ws://127.0.0.1:*', 'ws://localhost:*']

/**
 * Serves the documents in which the providers' scripts run: `GET /players/youtube` and `GET /players/spotify`. Each
 * loads one foreign script under a content security policy of its own, and only our pages may embed it (decision 039).
 * Its global `providerReady` is a promise that resolves when the script is ready, and rejects if it cannot be loaded.
 */
export function registerPlayerFrames(
  server: FastifyInstance,
  env: Pick<Env, 'youtube' | 'spotify'> & SecurityOptions,
): void {
  registerFrame(server, env, {
    path: '/players/youtube',
    title: 'YouTube player',
    readyCallback: 'onYouTubeIframeAPIReady',
    scriptUrl: new URL(env.youtube.playerUrl),
    policy: { frameSrc: ['https://www.youtube-nocookie.com'], connectSrc: [], mediaSrc: [] },
  })
  registerFrame(server, env, {
    path: '/players/spotify',
    title: 'Spotify player',
    readyCallback: 'onSpotifyWebPlaybackSDKReady',
    scriptUrl: new URL(env.spotify.sdkUrl),
    apiUrl: new URL(env.spotify.apiUrl),
    policy: {
      frameSrc: [],
      connectSrc: ['https://*.spotify.com', 'wss://*.spotify.com', 'https://*.scdn.co'],
      mediaSrc: ['https://*.scdn.co', 'blob:', 'data:'],
    },
  })
}

function registerFrame(server: FastifyInstance, options: SecurityOptions, frame: PlayerFrame): void {
  const setup = setupScript(frame.readyCallback)
  const html = frameHtml(frame, setup)
  const headers = securityHeaders(options, {
    contentSecurityPolicy: framePolicy(frame, setup),
    frameguard: { action: 'sameorigin' },
  })
  server.get(frame.path, { config: { securityHeaders: headers } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', `public, max-age=${cacheS}`).send(html),
  )
}

/** Referenced by its hash in the policy. An error of a script's request does not bubble, so it is captured. */
const setupScript = (readyCallback: string): string => `
window.providerReady = new Promise((resolve, reject) => {
  window.${readyCallback} = () => resolve()
  const onError = ({ target }) => {
    if (target instanceof HTMLScriptElement) reject(new Error('The script of the provider could not be loaded'))
  }
  window.addEventListener('error', onError, true)
})
window.providerReady.catch(() => undefined)
`

const escapeUrl = ({ href }: URL): string => href.replaceAll('&', '&amp;')

const frameHtml = ({ title, scriptUrl, apiUrl }: PlayerFrame, setup: string): string => `<!doctype html>
<html lang="en"${apiUrl ? ` data-api-url="${escapeUrl(apiUrl)}"` : ''}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; overflow: hidden }</style>
<script>${setup}</script>
<script src="${escapeUrl(scriptUrl)}" async></script>
</head>
<body><div id="player"></div></body>
</html>
`

function framePolicy({ scriptUrl, apiUrl, policy }: PlayerFrame, setup: string) {
  const hash = createHash('sha256').update(setup).digest('base64')
  const isLocal = scriptUrl.hostname === '127.0.0.1' || scriptUrl.hostname === 'localhost'
  const own = [scriptUrl.origin, ...(isLocal ? loopbackSources : [])]
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'self'"],
      scriptSrc: [`'sha256-${hash}'`, ...own],
      // The scripts style the elements that they create.
      styleSrc: ["'unsafe-inline'"],
      frameSrc: [...own, ...policy.frameSrc],
      imgSrc: own,
      connectSrc: [...own, ...(apiUrl ? [apiUrl.origin] : []), ...policy.connectSrc],
      mediaSrc: [...own, ...policy.mediaSrc],
    },
  }
}
