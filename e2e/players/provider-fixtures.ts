import { spotifySettings, youtubeSettings } from '@earshot/provider-doubles/server-settings'
import { test as base } from '../support/fixtures.ts'

/** Page tests with a server whose Spotify is a double. */
export const spotifyTest = base.extend({
  serverEnv: ({ spotify }, provide) => provide(spotifySettings(spotify)),
})

/** Page tests with a server whose YouTube is a double, without an API key. */
export const youtubeTest = base.extend({
  serverEnv: ({ youtube }, provide) => provide(youtubeSettings(youtube)),
})
