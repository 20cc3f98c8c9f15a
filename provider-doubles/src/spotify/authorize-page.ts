import type { FastifyInstance, FastifyReply } from 'fastify'
import { bodyOf, urlOf } from '../double-server.ts'
import { consentKey, type AccountsState, type SpotifyUser } from './accounts-state.ts'
import { acceptsRedirectUri, isSecureRedirectUri } from './redirect-uris.ts'

const knownScopes = new Set([
  'streaming',
  'user-read-email',
  'user-read-private',
  'user-read-playback-state',
  'user-modify-playback-state',
  'user-read-currently-playing',
  'user-read-recently-played',
  'user-top-read',
  'user-library-read',
  'user-library-modify',
  'playlist-read-private',
  'playlist-read-collaborative',
  'playlist-modify-public',
  'playlist-modify-private',
  'ugc-image-upload',
  'user-follow-read',
  'user-follow-modify',
  'app-remote-control',
])

/** Names the user who is signed in at the provider. Its name is its own because cookies do not tell ports apart. */
const sessionCookie = 'spotify_double_user'

/** A valid request for consent. */
interface AuthorizeRequest {
  clientId: string
  redirectUri: string
  scopes: string[]
  state: string | null
  codeChallenge: string | null
}

/** Adds `GET /authorize` and the answer of its form. */
export function addAuthorizePage(app: FastifyInstance, accounts: AccountsState): void {
  app.get('/authorize', async (request, reply) => {
    const query = urlOf(request).searchParams
    const parsed = parseAuthorizeRequest(accounts, query)
    if ('problem' in parsed) return sendErrorPage(reply, parsed.problem)
    const user = signedInUser(accounts, request.headers.cookie)
    const consent = user && accounts.consents.get(consentKey({ userId: user.id, clientId: parsed.clientId }))
    const isCovered = consent && parsed.scopes.every((scope) => consent.scopes.includes(scope))
    // The consent of earlier is repeated, not renewed: tokens still end six months after it.
    if (isCovered && query.get('show_dialog') !== 'true') {
      return sendBack(reply, parsed, { code: issueCode(accounts, parsed, user.id, consent.consentedAt) })
    }
    return sendPage(reply, 200, consentPage(accounts.users, parsed, query, user))
  })

  app.post('/authorize/accept', async (request, reply) => {
    const form = new URLSearchParams(bodyOf(request))
    const parsed = parseAuthorizeRequest(accounts, new URLSearchParams(form.get('request') ?? ''))
    if ('problem' in parsed) return sendErrorPage(reply, parsed.problem)
    if (form.get('decision') !== 'agree') return sendBack(reply, parsed, { error: 'access_denied' })
    const user = accounts.users.find(({ id }) => id === form.get('user'))
    if (!user) return sendErrorPage(reply, 'Unknown user')
    reply.header('set-cookie', `${sessionCookie}=${user.id}; Path=/; HttpOnly; SameSite=Lax`)
    return sendBack(reply, parsed, { code: issueCode(accounts, parsed, user.id, accounts.clock.now()) })
  })
}

function issueCode(
  accounts: AccountsState,
  { clientId, redirectUri, scopes, codeChallenge }: AuthorizeRequest,
  userId: string,
  consentedAt: number,
): string {
  return accounts.issueCode({ clientId, userId, scopes, consentedAt }, redirectUri, codeChallenge)
}

/** Checks the parameters. A problem is shown and never redirected: the address to go back to cannot be trusted. */
function parseAuthorizeRequest(
  accounts: AccountsState,
  query: URLSearchParams,
): AuthorizeRequest | { problem: string } {
  const clientId = query.get('client_id')
  const redirectUri = query.get('redirect_uri')
  const app = accounts.apps.find((candidate) => candidate.clientId === clientId)
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const codeChallenge = query.get('code_challenge')
  if (!clientId || !app) return { problem: 'INVALID_CLIENT: Invalid client' }
  if (!redirectUri) return { problem: 'INVALID_CLIENT: Missing redirect URI' }
  if (!isSecureRedirectUri(redirectUri)) return { problem: 'INVALID_CLIENT: Insecure redirect URI' }
  if (!acceptsRedirectUri(app.redirectUris, redirectUri))
    return { problem: 'INVALID_CLIENT: Invalid redirect URI' }
  if (query.get('response_type') !== 'code') return { problem: 'response_type must be code' }
  if (scopes.some((scope) => !knownScopes.has(scope))) return { problem: 'INVALID_SCOPE: Invalid scope' }
  if (codeChallenge !== null && query.get('code_challenge_method') !== 'S256') {
    return { problem: 'code_challenge_method must be S256' }
  }
  if (codeChallenge !== null && !/^[\w-]{43}$/.test(codeChallenge)) {
    return { problem: 'code_challenge must be 43 characters of base64url' }
  }
  return { clientId, redirectUri, scopes, state: query.get('state'), codeChallenge }
}

function sendBack(
  reply: FastifyReply,
  { redirectUri, state }: AuthorizeRequest,
  outcome: { code: string } | { error: string },
): FastifyReply {
  const target = new URL(redirectUri)
  for (const [name, value] of Object.entries(outcome)) target.searchParams.set(name, value)
  if (state !== null) target.searchParams.set('state', state)
  return reply.redirect(target.href, 302)
}

function signedInUser(accounts: AccountsState, cookies = ''): SpotifyUser | undefined {
  const id = new URLSearchParams(cookies.replaceAll(/;\s*/g, '&')).get(sessionCookie)
  return accounts.users.find((user) => user.id === id)
}

function sendErrorPage(reply: FastifyReply, problem: string): FastifyReply {
  return sendPage(reply, 400, `<h1>Something went wrong</h1><p>${escapeHtml(problem)}</p>`)
}

function sendPage(reply: FastifyReply, status: number, body: string): FastifyReply {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Authorize - Spotify double</title>${body}</html>`
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "frame-ancestors 'none'")
    .send(html)
}

function consentPage(
  users: readonly SpotifyUser[],
  { clientId, scopes }: AuthorizeRequest,
  query: URLSearchParams,
  signedIn: SpotifyUser | undefined,
): string {
  const options = users.map(
    ({ id, displayName }) =>
      `<option value="${escapeHtml(id)}"${id === signedIn?.id ? ' selected' : ''}>${escapeHtml(displayName ?? id)}</option>`,
  )
  const listed = scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`)
  return `
    <h1>The app ${escapeHtml(clientId)} asks for access</h1>
    <ul>${listed.join('')}</ul>
    <form method="post" action="/authorize/accept">
      <input type="hidden" name="request" value="${escapeHtml(query.toString())}">
      <label>Account <select name="user">${options.join('')}</select></label>
      <button name="decision" value="agree">Agree</button>
      <button name="decision" value="cancel">Cancel</button>
    </form>`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
