import type { PageData } from '@earshot/core/protocol/page-data'
import { AppError } from '@earshot/core/protocol/errors'
import { queryOptions } from '@tanstack/react-query'
import { loadAuthClient } from './auth-client.ts'
import { callApi } from './call-api.ts'
import { readPageData } from './page-data.ts'
import { readSession } from './session.tsx'
import { signInElsewhere } from './sign-in-elsewhere.ts'
import { providerTimeoutMs } from './timed-fetch.ts'

/** The data of the pages around accounts. Apart from `queries.ts`, which the first load contains. */

export const statsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['profile-stats', userId],
    queryFn: async ({ signal }) => (await callApi('GET /api/profile/stats', {}, { signal })).stats,
    staleTime: 0,
  })

/** The server's settings: those in the page, or asked for. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }): Promise<PageData['config']> => callApi('GET /api/config', {}, { signal }),
  initialData: () => readPageData()?.config,
  staleTime: Infinity,
})

/** Starts to connect Spotify: leaves the page for Spotify's consent page. */
export async function openSpotifyConsent(): Promise<void> {
  const { url } = await callApi('POST /api/spotify/authorize', {}, { timeoutMs: providerTimeoutMs })
  window.location.assign(url)
}

/** Finishes connecting Spotify. The state is single-use: call once. */
export async function finishSpotifyConsent(code: string, state: string) {
  const body = { code, state }
  return (await callApi('POST /api/spotify/callback', { body }, { timeoutMs: providerTimeoutMs })).connection
}

/** Validates the user's own key, or without one the key in use, and connects YouTube. */
export async function connectYoutube(apiKey: string | null) {
  return (await callApi('POST /api/youtube/connect', { body: { apiKey } }, { timeoutMs: providerTimeoutMs }))
    .result
}

/** Changes the display name, in the profile and in the account. @throws AppError */
export async function saveDisplayName(username: string) {
  const { profile } = await callApi('PATCH /api/profile', { body: { username } })
  const { error } = await (await loadAuthClient()).updateUser({ name: username })
  if (error) throw new AppError('unavailable', error.message)
  return profile
}

/** Sets the user's picture, an image in base64, or removes it (null). @throws AppError */
export async function saveProfilePicture(image: string | null) {
  const { profile } =
    image === null
      ? await callApi('DELETE /api/profile/picture', {})
      : await callApi('POST /api/profile/picture', { body: { image } })
  // The top bar shows the session's.
  await readSession()
  return profile
}

/** Leaves the page for the sign-in at Google, which returns to a path of this page. Rejects on failure. */
export async function signInWithGoogle(returnPath: string, invite?: string): Promise<void> {
  const request = {
    provider: 'google',
    callbackURL: returnPath,
    errorCallbackURL: '/login',
    ...(invite === undefined ? {} : { invite }),
  }
  const client = await loadAuthClient()
  signInElsewhere.begin()
  const { error } = await client.signIn.social(request)
  if (!error) return
  signInElsewhere.end()
  throw new AppError('unavailable', error.message)
}
