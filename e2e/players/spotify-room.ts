import type { SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import type { Page } from '@playwright/test'
import type { App } from '../support/app.ts'
import type { Person as AnyPerson } from '../support/fixtures.ts'

type Person = Pick<AnyPerson, 'context'>

/** Calls the HTTP API as a person. */
async function call<Answer>(app: App, { context }: Person, path: string, data?: unknown): Promise<Answer> {
  const headers = { origin: app.publicUrl }
  const method = data === undefined ? 'GET' : 'POST'
  const response = await context.request.fetch(app.url + path, { method, headers, data })
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`)
  return (await response.json()) as Answer
}

/** Connects a person's account of Spotify, as the page does after the consent. */
export async function connect(
  app: App,
  spotify: SpotifyDouble,
  person: Person,
  userId: string,
): Promise<void> {
  const { url } = await call<{ url: string }>(app, person, '/api/spotify/authorize', {})
  const { searchParams } = new URL(await spotify.control.consentTo(url, { userId }))
  const body = { code: searchParams.get('code'), state: searchParams.get('state') }
  await call(app, person, '/api/spotify/callback', body)
}

/** Adds the first track that a search at Spotify finds. Resolves to its id. */
export async function addSpotifyTrack(
  app: App,
  person: Person,
  roomId: string,
  query: string,
): Promise<string> {
  const path = `/api/tracks?source=spotify&q=${encodeURIComponent(query)}`
  const { tracks } = await call<{ tracks: { id: string }[] }>(app, person, path)
  const trackId = tracks[0]?.id ?? ''
  await call(app, person, `/api/rooms/${roomId}/queue`, { trackId })
  return trackId
}

/** The document that loads the provider's script. */
export const spotifyFrames = (page: Page) => page.locator('iframe[src="/players/spotify"]')

/** Connects an account of Spotify for each of the two listeners of a room. */
export async function connectBoth(
  app: App,
  spotify: SpotifyDouble,
  { owner, listener }: { owner: Person; listener: Person },
): Promise<void> {
  await connect(app, spotify, owner, 'premium-paula')
  await connect(app, spotify, listener, 'premium-pedro')
}
