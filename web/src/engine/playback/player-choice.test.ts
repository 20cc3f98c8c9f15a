import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listen, pass, playing } from '../testing/listen.ts'
import { makeTimeline, makeShortTrack } from '../testing/room-fixtures.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => vi.useRealTimers())

it('10.10a the next kind of player is used for a track that the best one cannot play, and only for that', async () => {
  const { latest, players, change } = listen({})
  await pass(1_000)
  latest().emit({ type: 'unsupported', trackId: 'a' })
  await pass(1_000)
  expect(players.map(({ kind }) => kind)).toEqual(['library', 'element'])
  expect(players[0]?.player.isDisposed).toBe(true)
  expect(latest().calls).toEqual(['load a at 0'])
  change({ timeline: makeTimeline({ trackId: 'b', sequenceNumber: 101 }), track: makeShortTrack('b') })
  await pass(1_000)
  expect(players.map(({ kind }) => kind)).toEqual(['library', 'element', 'library'])
  expect(latest().calls).toEqual(['load b at 0'])
})

it('10.10b the player is chosen before loading for a track that could not be prepared', async () => {
  const { latest, players, change } = listen(playing(20_000))
  await pass(1_000)
  latest().emit({ type: 'unsupported', trackId: 'b' })
  await pass(500)
  expect(players.map(({ kind }) => kind)).toEqual(['library'])
  change({ timeline: makeTimeline({ trackId: 'b', sequenceNumber: 101 }), track: makeShortTrack('b') })
  await pass(1_000)
  expect(players.map(({ kind }) => kind)).toEqual(['library', 'element'])
  expect(players[0]?.player.calls).not.toContain('load b at 0')
})

it('10.11a, 10.11b, 10.11d the loop reports a track that no player can play, and does not hold up its start', async () => {
  const { latest, players, reports, ready, change } = listen({})
  await pass(1_000)
  change({ timeline: makeTimeline({ isCueing: true, sequenceNumber: 101 }) })
  latest().emit({ type: 'unsupported', trackId: 'a' })
  await pass(0)
  latest().emit({ type: 'unsupported', trackId: 'a' })
  await pass(250)
  expect(reports.at(-1)).toEqual({
    cause: 'unplayable',
    errorMs: null,
    uncertaintyMs: null,
    sample: null,
    player: null,
  })
  expect(ready.at(-1)).toBe(101)
  expect(players.map(({ player }) => player.isDisposed)).toEqual([true, true])
  change({ timeline: makeTimeline({ ...playing(), trackId: 'b' }), track: makeShortTrack('b') })
  await pass(3_000)
  expect(reports.at(-1)).toMatchObject({ cause: 'in_sync' })
})

it('10.10a another player is not blocked before it tried to play', async () => {
  const { latest, blocked } = listen(playing())
  await pass(1_000)
  latest().emit({ type: 'blocked' })
  latest().emit({ type: 'unsupported', trackId: 'a' })
  await pass(0)
  expect(blocked).toEqual([true, false])
})

it('15.25 a track that the listener cannot play with any player loads none, and silences the one before', async () => {
  const { latest, players, reports, ready, change, forbid } = listen(playing())
  await pass(1_000)
  forbid({ b: 'not_connected' })
  change({
    timeline: makeTimeline({ trackId: 'b', isCueing: true, sequenceNumber: 301 }),
    track: makeShortTrack('b'),
  })
  await pass(500)
  expect(players).toHaveLength(1)
  expect(latest().isDisposed).toBe(true)
  expect(reports.at(-1)).toMatchObject({ cause: 'unplayable' })
  expect(ready.at(-1)).toBe(301)
  forbid({})
  await pass(1_000)
  expect(latest().calls).toEqual(['load b at 0'])
})

it('15.25 the reason of a player is kept, and told once', async () => {
  const { latest, playerLoop, unsupported } = listen(playing())
  await pass(1_000)
  latest().emit({ type: 'unsupported', trackId: 'a', reason: 'blocked' })
  await pass(0)
  latest().emit({ type: 'unsupported', trackId: 'a' })
  expect(unsupported).toEqual(['blocked', 'format'])
  expect(playerLoop.unplayableReason({ id: 'a', source: 'library' })).toBe('format')
  expect(playerLoop.unplayableReason({ id: 'b', source: 'library' })).toBeNull()
})

it('15.26 a device that took over is told, and the player is left alone until the listener wants it', async () => {
  const { latest, takenOver, change, reports } = listen(playing())
  await pass(2_000)
  latest().emit({ type: 'taken_over' })
  expect(takenOver).toEqual([true])
  change({ isPausedHere: true })
  const calls = latest().calls.length
  await pass(30_000)
  expect(
    latest()
      .calls.slice(calls)
      .filter((call) => call === 'play'),
  ).toEqual([])
  expect(reports.at(-1)).toMatchObject({ cause: 'paused' })
  change({ isPausedHere: false })
  await pass(1_000)
  expect(latest().calls.at(-1)).toBe('play')
})

it('17.428 a track that could not be played is tried again at its turn once its file is another one, and not before', async () => {
  const { latest, players, reports, change, replaceFiles, playableAgain } = listen({})
  const room = {
    a: { timeline: makeTimeline({ ...playing(), trackId: 'a' }), track: makeShortTrack('a') },
    b: { timeline: makeTimeline({ ...playing(), trackId: 'b' }), track: makeShortTrack('b') },
  }
  const goTo = async (id: 'a' | 'b') => {
    change(room[id])
    await pass(1_000)
  }
  await pass(1_000)
  for (const _kind of ['library', 'element']) {
    latest().emit({ type: 'unsupported', trackId: 'a' })
    await pass(250)
  }
  await goTo('b')
  await goTo('a')
  expect(reports.at(-1)).toMatchObject({ cause: 'unplayable' })
  replaceFiles()
  await pass(1_000)
  expect(playableAgain).toEqual([])
  const before = players.length
  await goTo('b')
  await goTo('a')
  expect(playableAgain).toEqual([true])
  expect(players.slice(before).map(({ kind }) => kind)).toEqual(['library', 'library'])
  expect(latest().calls[0]).toBe('load a at 0')
})
