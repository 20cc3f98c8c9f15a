import type { PlayerKind } from '@earshot/core/protocol/sync-report'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { Source } from '@earshot/core/protocol/entities'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accountReasons, createPlayerSlot } from './player-slot.ts'
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

/** A factory's functions that do nothing, for tests of the others. */
const plain = {
  preload: () => Promise.resolve(),
  connectsAhead: () => false,
  readFileTag: () => Promise.resolve(null),
}

it('15.22 another player that the next track needs is loaded ahead, and the own one prepares only what is due', async () => {
  const preloaded: PlayerKind[] = []
  const player = new SilentPlayer()
  const slot = createPlayerSlot({
    factory: {
      ...plain,
      kindsFor: (source) => [source === 'youtube' ? 'video' : 'library'],
      preload: (kind) => Promise.resolve(preloaded.push(kind)),
      create: () => Promise.resolve(player),
    },
    listenerReason: () => null,
    initialVolume: 1,
    onChange: () => undefined,
    onEvent: () => undefined,
    onMissingChange: () => undefined,
    onPlayableAgain: () => undefined,
  })
  slot.require(makeTrack('a', 'library'))
  await Promise.resolve()
  slot.prepare(makeTrack('v', 'youtube'), null)
  slot.prepare(makeTrack('b', 'library'), null)
  expect(preloaded).toEqual(['video'])
  expect(player.calls).toEqual([])
  slot.prepare(makeTrack('b', 'library'), 'soon')
  expect(player.calls).toEqual(['prepare b, due soon'])
})

/** A slot whose library player plays, with the Spotify players that it creates. */
async function openSlot(create: () => Promise<SilentPlayer>) {
  const current: (SilentPlayer | null)[] = []
  const slot = createPlayerSlot({
    factory: {
      ...plain,
      kindsFor: (source) => [source === 'spotify' ? 'streaming' : source === 'youtube' ? 'video' : 'library'],
      connectsAhead: (kind) => kind === 'streaming',
      create: (kind) => (kind === 'streaming' ? create() : Promise.resolve(new SilentPlayer())),
    },
    listenerReason: () => null,
    initialVolume: 1,
    onChange: () => current.push(slot.current() as SilentPlayer | null),
    onEvent: () => undefined,
    onMissingChange: () => undefined,
    onPlayableAgain: () => undefined,
  })
  slot.require(makeTrack('a', 'library'))
  await vi.waitFor(() => expect(slot.current()).not.toBeNull())
  return { slot, current }
}

it('17.93 the player of a next Spotify track connects once while the library plays, and then gets the track', async () => {
  const created: SilentPlayer[] = []
  const { slot } = await openSlot(() => Promise.resolve(created[created.push(new SilentPlayer()) - 1]!))
  const library = slot.current()
  slot.prepare(makeTrack('s', 'spotify'), null)
  slot.prepare(makeTrack('s', 'spotify'), 'soon')
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
  slot.prepare(makeTrack('s', 'spotify'), null)
  slot.prepare(makeTrack('b', 'library'), null)
  await vi.waitFor(() => expect(created[0]?.isDisposed).toBe(true))
  slot.prepare(makeTrack('s', 'spotify'), null)
  slot.require(makeTrack('v', 'youtube'))
  await vi.waitFor(() => expect(created[1]?.isDisposed).toBe(true))
  slot.prepare(makeTrack('s', 'spotify'), null)
  slot.release()
  await vi.waitFor(() => expect(created[2]?.isDisposed).toBe(true))
})

it('15.108 a track that failed for want of an account plays once there is one', async () => {
  let ofAccount: UnplayableReason | null = null
  const slot = createPlayerSlot({
    factory: { ...plain, kindsFor: () => ['streaming'], create: () => Promise.resolve(new SilentPlayer()) },
    listenerReason: () => ofAccount,
    initialVolume: 1,
    onChange: () => undefined,
    onEvent: () => undefined,
    onMissingChange: () => undefined,
    onPlayableAgain: () => undefined,
  })
  const [track, blocked] = [makeTrack('s', 'spotify'), makeTrack('t', 'spotify')]
  for (const reason of accountReasons) {
    slot.require(track)
    ofAccount = reason
    slot.reject(track.id, reason)
    expect([slot.require(track), slot.unplayableReason(track)]).toEqual([null, reason])
    ofAccount = null
    slot.require(track)
    await vi.waitFor(() => expect(slot.require(track)).not.toBeNull())
    expect(slot.unplayableReason(track)).toBeNull()
  }
  slot.reject(blocked.id, 'blocked')
  expect(slot.unplayableReason(blocked)).toBe('blocked')
})

it('17.93 a player that could not be created ahead is created again for its track', async () => {
  let attempts = 0
  const player = new SilentPlayer()
  const { slot } = await openSlot(() => {
    attempts += 1
    return attempts === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(player)
  })
  slot.prepare(makeTrack('s', 'spotify'), null)
  await Promise.resolve()
  slot.require(makeTrack('s', 'spotify'))
  // As the player loop does at each turn.
  await vi.waitFor(() => expect(slot.require(makeTrack('s', 'spotify'))).toBe(player))
})

describe('a player whose code cannot be loaded', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A slot whose code fails to load until `repair`, asked four times a second as by the player loop. */
  function openBroken(next: ReturnType<typeof makeTrack> | null) {
    const asked: string[] = []
    const missing: boolean[] = []
    let isBroken = true
    const ask = (what: string) => {
      asked.push(what)
      return isBroken ? Promise.reject(new Error('offline')) : Promise.resolve(new SilentPlayer())
    }
    const slot = createPlayerSlot({
      factory: {
        ...plain,
        kindsFor: (source) => [
          source === 'spotify' ? 'streaming' : source === 'youtube' ? 'video' : 'library',
        ],
        connectsAhead: (kind) => kind === 'streaming',
        preload: (kind) => (kind === 'video' ? ask('preload video') : Promise.resolve()),
        create: (kind) => (kind === 'library' ? Promise.resolve(new SilentPlayer()) : ask(`create ${kind}`)),
      },
      listenerReason: () => null,
      initialVolume: 1,
      onChange: () => undefined,
      onEvent: () => undefined,
      onMissingChange: (isMissing) => missing.push(isMissing),
      onPlayableAgain: () => undefined,
    })
    /** Goes on for a time, ms, with the track that is current. */
    const turn = async (track: ReturnType<typeof makeTrack>, ms: number) => {
      for (let passedMs = 0; passedMs < ms; passedMs += 250) {
        if (slot.require(track) && next) slot.prepare(next, 'soon')
        await vi.advanceTimersByTimeAsync(250)
      }
    }
    return { slot, asked, missing, turn, repair: () => void (isBroken = false) }
  }
  const video = makeTrack('v', 'youtube')
  const song = makeTrack('a', 'library')

  it('17.406 is asked for ever more rarely, says so at the second failure, and plays once it is there', async () => {
    const { slot, asked, missing, turn, repair } = openBroken(null)
    await turn(video, 4_000)
    expect([asked, missing]).toEqual([['create video'], []])
    await turn(video, 6_000)
    expect([asked.length, missing]).toEqual([2, [true]])
    await turn(video, 10 * 60_000)
    expect(asked.length).toBeGreaterThan(15)
    expect(asked.length).toBeLessThan(25)
    repair()
    await turn(video, 30_000)
    expect(slot.current()).not.toBeNull()
    expect(missing).toEqual([true, false])
  })

  it('17.406 is forgotten with the track that needed it', async () => {
    const { asked, missing, turn } = openBroken(null)
    await turn(video, 10_000)
    await turn(song, 60_000)
    expect([asked.length, missing]).toEqual([2, [true, false]])
    await turn(video, 1_000)
    expect(asked.length).toBe(3)
  })

  it.each(['youtube', 'spotify'] as const)(
    '17.407 is asked for once a minute and then more rarely while the next track is of %s',
    async (source) => {
      const { asked, missing, turn, repair } = openBroken(makeTrack('n', source))
      await turn(song, 50_000)
      expect(asked.length).toBe(1)
      await turn(song, 60 * 60_000)
      expect(asked.length).toBeLessThan(10)
      repair()
      await turn(song, 15 * 60_000)
      const { length } = asked
      await turn(song, 60 * 60_000)
      expect(asked.length).toBe(length)
      expect(missing).toEqual([])
    },
  )
})
