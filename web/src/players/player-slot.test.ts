import type { PlayerKind } from '@earshot/core/protocol/sync-report'
import type { Source } from '@earshot/core/protocol/entities'
import { expect, it, vi } from 'vitest'
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

/** A slot whose library player plays, with the Spotify players that it creates. */
async function openSlot(create: () => Promise<SilentPlayer>) {
  const current: (SilentPlayer | null)[] = []
  const slot = createPlayerSlot({
    factory: {
      kindsFor: (source) => [source === 'spotify' ? 'streaming' : source === 'youtube' ? 'video' : 'library'],
      connectsAhead: (kind) => kind === 'streaming',
      create: (kind) => (kind === 'streaming' ? create() : Promise.resolve(new SilentPlayer())),
    },
    reasonAgainst: () => null,
    initialVolume: 1,
    onChange: () => current.push(slot.current() as SilentPlayer | null),
    onEvent: () => undefined,
  })
  slot.require(makeTrack('a', 'library'))
  await vi.waitFor(() => expect(slot.current()).not.toBeNull())
  return { slot, current }
}

it('17.93 the player of a next Spotify track connects once while the library plays, and then gets the track', async () => {
  const created: SilentPlayer[] = []
  const { slot } = await openSlot(() => Promise.resolve(created[created.push(new SilentPlayer()) - 1]!))
  const library = slot.current()
  slot.prepare(makeTrack('s', 'spotify'), false)
  slot.prepare(makeTrack('s', 'spotify'), true)
  await vi.waitFor(() => expect(created[0]?.calls).toEqual(['connect']))
  expect(slot.current()).toBe(library)
  slot.require(makeTrack('s', 'spotify'))
  await vi.waitFor(() => expect(slot.current()).toBe(created[0]))
  expect(created).toHaveLength(1)
  expect((library as SilentPlayer).isDisposed).toBe(true)
})

it('17.93 a connected player that no next track needs is disposed of, also with the room', async () => {
  const created: SilentPlayer[] = []
  const { slot } = await openSlot(() => Promise.resolve(created[created.push(new SilentPlayer()) - 1]!))
  slot.prepare(makeTrack('s', 'spotify'), false)
  slot.prepare(makeTrack('b', 'library'), false)
  await vi.waitFor(() => expect(created[0]?.isDisposed).toBe(true))
  slot.prepare(makeTrack('s', 'spotify'), false)
  slot.require(makeTrack('v', 'youtube'))
  await vi.waitFor(() => expect(created[1]?.isDisposed).toBe(true))
  slot.prepare(makeTrack('s', 'spotify'), false)
  slot.release()
  await vi.waitFor(() => expect(created[2]?.isDisposed).toBe(true))
})

it('17.93 a player that could not be created ahead is created again for its track', async () => {
  let attempts = 0
  const player = new SilentPlayer()
  const { slot } = await openSlot(() => {
    attempts += 1
    return attempts === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(player)
  })
  slot.prepare(makeTrack('s', 'spotify'), false)
  await Promise.resolve()
  slot.require(makeTrack('s', 'spotify'))
  // As the player loop does at each turn.
  await vi.waitFor(() => expect(slot.require(makeTrack('s', 'spotify'))).toBe(player))
})
