import { Device } from './device.ts'
import type { FrameMessage, PageMessage, PlayerMethod } from './messages.ts'

/** The document inside the player's frame: forwards the calls of the page's players to their devices. */

interface PlayerInFrame {
  device: Device
  receiveToken(token: string): void
}

const players = new Map<string, PlayerInFrame>()

addEventListener('message', ({ source, data }: MessageEvent<PageMessage>) => {
  if (source !== parent) return
  const player = players.get(data.player) ?? createPlayer(data.player)
  if ('token' in data) return player.receiveToken(data.token)
  const { call, method, argument } = data
  void answer(player.device, method, argument).then((value) => post({ player: data.player, call, value }))
})

addEventListener('pagehide', () => {
  for (const { device } of players.values()) device.disconnect()
})

post({ loaded: true })

function post(message: FrameMessage): void {
  // The page's origin is whoever embeds the player; nothing secret is sent.
  parent.postMessage(message, '*')
}

function createPlayer(id: string): PlayerInFrame {
  let waiting: ((token: string) => void)[] = []
  const device = new Device({
    emit: (event, data) => post({ player: id, event, data }),
    requestToken: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        post({ player: id, needsToken: true })
      }),
  })
  const player: PlayerInFrame = {
    device,
    receiveToken: (token) => {
      for (const resolve of waiting) resolve(token)
      waiting = []
    },
  }
  players.set(id, player)
  return player
}

async function answer(device: Device, method: PlayerMethod, argument?: number | string): Promise<unknown> {
  const { playback } = device
  const methods: Record<PlayerMethod, () => unknown> = {
    connect: () => device.connect(),
    disconnect: () => device.disconnect(),
    getCurrentState: () => playback?.state ?? null,
    getVolume: () => device.volume,
    setVolume: () => device.setVolume(Number(argument)),
    setName: () => device.setName(String(argument)),
    pause: () => playback?.pause(),
    resume: () => playback?.resume(),
    togglePlay: () => playback?.togglePlay(),
    seek: () => playback?.seek(Number(argument)),
    nextTrack: () => playback?.skip(1),
    previousTrack: () => playback?.skip(-1),
    activateElement: () => device.activate(),
  }
  return methods[method]()
}
