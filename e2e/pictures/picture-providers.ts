import { spotifySettings, youtubeSettings } from '@earshot/provider-doubles/server-settings'
import { startSpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import { defaultApiKey, startYoutubeDouble } from '@earshot/provider-doubles/youtube/youtube-double'
import type { Page } from '@playwright/test'
import { addSpotifyTrack, connect } from '../players/spotify-room.ts'
import { addVideo } from '../players/youtube-room.ts'
import { startApp, type App } from '../support/app.ts'
import { openRoom } from '../support/room-page.ts'
import { createRoom } from '../support/rooms.ts'
import type { PictureRooms } from './picture-state.ts'

/** A second server, whose Spotify and YouTube are doubles: the usual pictures show one that has neither. */
export interface PictureProviders {
  app: App
  /** Creates the rooms, whose owner has an account of Spotify. */
  fillRooms(owner: Page): Promise<Pick<PictureRooms, 'video' | 'spotify'>>
  stop(): Promise<void>
}

export async function startProviders(): Promise<PictureProviders> {
  const [spotify, youtube] = await Promise.all([startSpotifyDouble(), startYoutubeDouble()])
  const app = await startApp({
    env: { ...spotifySettings(spotify), ...youtubeSettings(youtube, defaultApiKey) },
  })
  return {
    app,
    async fillRooms(page) {
      const context = page.context()
      const owner = { context }
      const video = await createRoom(app, context, { name: 'Saturday Cinema' })
      await openRoom(page, app.url, video)
      for (const id of ['harbour0001', 'harbour0002']) await addVideo(app, owner, video, id)
      await connect(app, spotify, owner, 'premium-paula')
      const songs = await createRoom(app, context, { name: 'Borrowed Records' })
      await openRoom(page, app.url, songs)
      await addSpotifyTrack(app, owner, songs, 'Harbour Lights')
      return { video, spotify: songs }
    },
    async stop() {
      await app.stop()
      await Promise.all([spotify.close(), youtube.close()])
    },
  }
}
