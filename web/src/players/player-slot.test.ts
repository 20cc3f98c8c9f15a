import type { PlayerKind } from '@earshot/core/protocol/sync-report'
import type { Source } from '@earshot/core/protocol/entities'
import { expect, it } from 'vitest'
import { createPlayerSlot } from './player-slot.ts'
import { SilentPlayer } from './testing/silent-player.ts'

const makeTrack = (id: string, source: Source) => ({
  id,
  source,
  title: id,
  artist: '',
  album: '',
  duration: 60_000,
  albumArt: null,
  album_art: null,
})

it('15.22 another player that the next track needs is loaded ahead, and the own one prepares only what is due soon', async () => {
  const preloaded: PlayerKind[] = []
  const player = new SilentPlayer()
  const slot = createPlayerSlot({
    factory: {
      kindsFor: (source) => [source === 'youtube' ? 'video' : 'library'],
      preload: (kind) => preloaded.push(kind),
      create: () => Promise.resolve(player),
    },
    reasonAgainst: () => null,
    initialVolume: 1,
    onChange: () => undefined,
    onEvent: () => undefined,
  })
  slot.require(makeTrack('a', 'library'))
  await Promise.resolve()
  slot.prepare(makeTrack('v', 'youtube'), false)
  slot.prepare(makeTrack('b', 'library'), false)
  expect(preloaded).toEqual(['video'])
  expect(player.calls).toEqual([])
  slot.prepare(makeTrack('b', 'library'), true)
  expect(player.calls).toEqual(['prepare b'])
})
