import type { PageConfig } from './config.ts'
import { expect, it } from 'vitest'
import { startApp } from '../../../test/apps.ts'

it('2.39b the settings have the Spotify client id, and no secret', async () => {
  const app = await startApp({
    variables: {
      SPOTIFY_CLIENT_ID: 'public-id',
      SPOTIFY_CLIENT_SECRET: 'hidden-secret',
      YOUTUBE_API_KEY: 'hidden-key',
      GOOGLE_CLIENT_ID: 'google-id',
      GOOGLE_CLIENT_SECRET: 'hidden-google-secret',
    },
  })
  const config = await app.call<PageConfig>(null, 'GET', '/api/config')
  expect(config).toMatchObject({
    googleSignIn: true,
    spotifyClientId: 'public-id',
    spotifyRedirectUri: null,
  })
  expect(JSON.stringify(config)).not.toContain('hidden')
})

it('2.39b without Spotify there is no client id', async () => {
  const app = await startApp()
  const config = await app.call<PageConfig>(null, 'GET', '/api/config')
  expect(config).toMatchObject({ socketServers: [], spotifyClientId: null, spotifyRedirectUri: null })
})

it('16.177 the settings have the first address of the server, or none', async () => {
  const app = await startApp({ variables: { PUBLIC_URL: 'https://music.example,http://nas.local:3000' } })
  const config = await app.call<PageConfig>(null, 'GET', '/api/config')
  expect(config).toMatchObject({ publicUrl: 'https://music.example' })
  const unnamed = await startApp()
  expect(await unnamed.call<PageConfig>(null, 'GET', '/api/config')).toMatchObject({ publicUrl: null })
})
