import { spotifySettings, youtubeSettings } from './server-settings.ts'
import { startSpotifyDouble } from './spotify/spotify-double.ts'
import { defaultApiKey, startYoutubeDouble } from './youtube/youtube-double.ts'

// Runs both doubles until it is stopped, and prints the environment to start Earshot with.
const [spotify, youtube] = await Promise.all([startSpotifyDouble(), startYoutubeDouble()])
const environment = { ...spotifySettings(spotify), ...youtubeSettings(youtube, defaultApiKey) }
for (const [name, value] of Object.entries(environment)) process.stdout.write(`${name}=${value}\n`)
