import type { SpotifyDouble } from './spotify/spotify-double.ts'
import type { YoutubeDouble } from './youtube/youtube-double.ts'

/** Returns the environment variables of a server whose Spotify is the double. */
export const spotifySettings = (double: SpotifyDouble): Record<string, string> => ({
  SPOTIFY_CLIENT_ID: double.app.clientId,
  SPOTIFY_CLIENT_SECRET: double.app.clientSecret,
  SPOTIFY_ACCOUNTS_URL: double.accountsUrl,
  SPOTIFY_API_URL: double.apiUrl,
  SPOTIFY_SDK_URL: double.sdkUrl,
})

/** Returns the environment variables of a server whose YouTube is the double. Without a key it takes links only. */
export const youtubeSettings = (double: YoutubeDouble, apiKey?: string): Record<string, string> => ({
  YOUTUBE_API_URL: double.apiUrl,
  YOUTUBE_OEMBED_URL: double.oembedUrl,
  YOUTUBE_PLAYER_URL: double.playerUrl,
  ...(apiKey !== undefined && { YOUTUBE_API_KEY: apiKey }),
})
