import { toTrackId } from '@earshot/core/protocol/providers'
import { vi } from 'vitest'
import type { PlayerEvent } from '../player.ts'
import { VideoPlayer } from '../youtube/video-player.ts'
import { createVideoSurface } from '../youtube/video-surface.ts'

/** Stands in for the third party's player: records its commands, and reports as the test says. */
class FakeYoutube {
  readonly calls: string[] = []
  readonly events: Required<Pick<YT.Events, 'onReady' | 'onStateChange' | 'onError' | 'onAutoplayBlocked'>>
  seconds: number | undefined = 0
  rate = 1
  duration = 0
  constructor(_id: string, options: YT.PlayerOptions) {
    this.events = options.events as FakeYoutube['events']
    this.calls.push(`create ${options.videoId ?? ''}`)
  }
  readonly #call = (name: string) => (argument?: unknown) =>
    void this.calls.push(argument === undefined ? name : `${name} ${JSON.stringify(argument)}`)
  playVideo = this.#call('play')
  pauseVideo = this.#call('pause')
  seekTo = this.#call('seek')
  cueVideoById = this.#call('cue')
  setVolume = this.#call('volume')
  mute = this.#call('mute')
  unMute = this.#call('unmute')
  setPlaybackRate = this.#call('rate')
  getCurrentTime = () => this.seconds
  getPlaybackRate = () => this.rate
  getDuration = () => this.duration
  report(state: number) {
    this.events.onStateChange({ target: this as never, data: state })
  }
}

export const makeVideo = (id: string) => ({
  id: toTrackId('youtube', id),
  title: id,
  artist: '',
  album: '',
  duration: 60_000,
  source: 'youtube' as const,
  albumArt: null,
  album_art: null,
})

/** Opens a player in a place on the page. Its frames load only as the test says. */
export function openVideoPlayer({ hasPlace = true } = {}) {
  const surface = createVideoSurface()
  const host = document.createElement('div')
  document.body.append(host)
  if (hasPlace) surface.setState({ host })
  const player = new VideoPlayer(surface)
  const events: PlayerEvent[] = []
  player.subscribe((event) => events.push(event))
  const created: FakeYoutube[] = []
  const loadFrame = async (ready: Promise<void> = Promise.resolve()) => {
    const frame = host.querySelector('iframe')
    ready.catch(() => undefined)
    Object.assign(frame?.contentWindow ?? {}, {
      providerReady: ready,
      YT: {
        Player: class extends FakeYoutube {
          constructor(id: string, options: YT.PlayerOptions) {
            super(id, options)
            created.push(this)
          }
        },
      },
    })
    frame?.dispatchEvent(new Event('load'))
    await vi.advanceTimersByTimeAsync(0)
  }
  const youtube = () => created.at(-1)!
  const becomeReady = async () => {
    await loadFrame()
    youtube().events.onReady({ target: youtube() as never })
  }
  return { surface, host, player, events, created, loadFrame, becomeReady, youtube }
}
