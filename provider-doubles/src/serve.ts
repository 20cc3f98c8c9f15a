import { startSpotifyDouble } from './spotify/spotify-double.ts'
import { defaultApiKey, startYoutubeDouble } from './youtube/youtube-double.ts'

// Runs both doubles until it is stopped, and prints the environment to start Earshot with.
const [spotify, youtube] = await Promise.all([startSpotifyDouble(), startYoutubeDouble()])
const environment = {
  SPOTIFY_CLIENT_ID: spotify.app.clientId,
  SPOTIFY_CLIENT_SECRET: spotify.app.clientSecret,
  SPOTIFY_ACCOUNTS_URL: spotify.accountsUrl,
  SPOTIFY_API_URL: spotify.apiUrl,
  SPOTIFY_SDK_URL: spotify.sdkUrl,
  YOUTUBE_API_KEY: defaultApiKey,
  YOUTUBE_API_URL: youtube.apiUrl,
  YOUTUBE_OEMBED_URL: youtube.oembedUrl,
  YOUTUBE_PLAYER_URL: youtube.playerUrl,
}
for (const [name, value] of Object.entries(environment)) process.stdout.write(`${name}=${value}\n`)
