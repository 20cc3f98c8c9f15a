import type { PlayerAd, PlayerBehaviour } from './behaviour.ts'
import type { LoadedVideo } from './behaviour.ts'
import { EmbedPlayer } from './embed-player.ts'
import { WidgetPort } from './widget-port.ts'

/** The document of the frame at `/embed/VIDEO`. */

/** Reaches into one frame from a test: `frame.evaluate(() => youtubeDouble.stall(4_000))`. */
export interface FrameControl {
  player: EmbedPlayer
  /** Changes the behaviour until another video is loaded. */
  behave(behaviour: Partial<PlayerBehaviour>): void
  stall(forMs: number, state?: 'playing' | 'buffering'): void
  playAd(ad?: Partial<PlayerAd>): void
  fail(code: number): void
  /** Whether sound comes out of the video or an advertisement now. */
  isSounding(): boolean
}

declare global {
  var youtubeDouble: FrameControl
}

const query = new URLSearchParams(location.search)
const [media, adMedia] = document.querySelectorAll('video')
if (!media || !adMedia) throw new Error('The frame has no video elements')
const hasReferer = document.documentElement.dataset['referer'] === 'sent'

async function fetchVideo(videoId: string): Promise<LoadedVideo> {
  const response = await fetch(`/watch-data/${encodeURIComponent(videoId) || '-'}`)
  const video = (await response.json()) as LoadedVideo
  // Without a referrer YouTube plays nothing.
  return hasReferer ? video : { ...video, behaviour: { ...video.behaviour, error: 153 } }
}

const player: EmbedPlayer = new EmbedPlayer({
  media,
  adMedia,
  fetchVideo,
  emit: (event, data) => port.emit(event, data),
})
const page = { origin: query.get('origin') ?? '*', widgetId: Number(query.get('widgetid') ?? 1) }
const port = new WidgetPort(page, () => player)

globalThis.youtubeDouble = {
  player,
  behave: (behaviour) => player.video && Object.assign(player.video.behaviour, behaviour),
  stall: (forMs, state = 'playing') => void player.stall({ atMs: 0, forMs, state }),
  playAd: (ad) => void player.playAd({ atMs: 0, durationMs: 5_000, clock: 'still', ...ad }),
  fail: (code) => player.fail(code),
  isSounding: () => [media, adMedia].some((element) => !element.paused && !element.muted),
}

/** A click on the player is a gesture, and plays or pauses. */
addEventListener('click', () => {
  player.hasGesture = true
  if (player.state === 1) void player.pause()
  else void player.play()
})

const [, videoId = ''] = /^\/embed\/([^/]*)/.exec(location.pathname) ?? []
if (query.get('mute') === '1') player.setMuted(true)
if (videoId !== '') await player.load(videoId, Number(query.get('start') ?? 0), query.get('autoplay') === '1')
if (query.get('enablejsapi') === '1') port.becomeReady()
