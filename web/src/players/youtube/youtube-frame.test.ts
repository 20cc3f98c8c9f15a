import { afterEach, expect, it } from 'vitest'
import { openYoutubeFrame } from './youtube-frame.ts'

afterEach(() => document.body.replaceChildren())

/** Opens a frame whose document has these globals once it is loaded. `log` lists what it reports. */
async function open(globals: object, providerReady: Promise<void> = Promise.resolve()) {
  const log: string[] = []
  const frame = openYoutubeFrame(
    document.body,
    { id: 'v1', startMs: 0, title: 'Video' },
    {
      onCreated: () => log.push('created'),
      onReady: () => log.push('ready'),
      onState: (state) => log.push(`state ${state}`),
      onError: (code) => log.push(`error ${code}`),
      onAutoplayBlocked: () => log.push('blocked'),
      onFailed: (reason) => log.push(`failed: ${reason}`),
    },
  )
  const element = document.querySelector('iframe')
  Object.assign(element?.contentWindow ?? {}, { providerReady, ...globals })
  element?.dispatchEvent(new Event('load'))
  await new Promise((resolve) => setTimeout(resolve, 0))
  return { frame, log }
}

it('4.23a takes a player that is ready before its constructor returns', async () => {
  class Player {
    constructor(_id: string, { events }: { events: { onReady: (event: object) => void } }) {
      events.onReady({ target: this })
    }
  }
  const { frame, log } = await open({ YT: { Player } })
  expect(log).toEqual(['created', 'ready'])
  expect(frame.player).toBeInstanceOf(Player)
})

it('4.23b says in words why a script fails', async () => {
  expect((await open({ YT: {} })).log).toEqual(['failed: The script of YouTube has no player'])
  document.body.replaceChildren()
  // An error of another document is no `Error` of this one.
  const failure = Promise.resolve().then(() => {
    throw Object.create({ message: 'Not loaded' })
  })
  expect((await open({}, failure)).log).toEqual(['failed: Not loaded'])
})
