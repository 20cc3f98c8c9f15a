import { expect, it, onTestFinished, vi } from 'vitest'
import { heardTrack } from '../state/room-state.ts'
import { listen, pass, playing } from '../testing/listen.ts'
import { makeTimeline, makeShortTrack } from '../testing/room-fixtures.ts'
import { withSubstitutes } from './room-to-follow.ts'

it("15.38 replaces the tracks and keeps the room's timeline", () => {
  const timeline = makeTimeline({ trackId: 'a', source: 'spotify', positionMs: 7_000, isPlaying: true })
  const instead = { ...makeShortTrack('mine'), source: 'youtube' as const }
  const room = { timeline, track: makeShortTrack('a'), nextTrack: makeShortTrack('b') }
  const heard = withSubstitutes(room, { a: instead, b: makeShortTrack('next') })
  expect(heard.timeline).toEqual({ ...timeline, trackId: 'mine', source: 'youtube' })
  expect(heard.track).toBe(instead)
  expect(heard.nextTrack?.id).toBe('next')
})

it('15.38 changes nothing for other tracks', () => {
  const room = { timeline: makeTimeline({ trackId: 'a' }), track: makeShortTrack('a'), nextTrack: null }
  expect(withSubstitutes(room, { c: makeShortTrack('x') })).toEqual(room)
  expect(heardTrack({}, null)).toBeNull()
})

it("15.38 the substitute plays at the room's position, and the room's next track is not affected", async () => {
  vi.useFakeTimers({ now: 1_795_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { change, latest, reports, players, state } = listen({ ...playing(20_000), source: 'spotify' })
  const room = { timeline: state.timeline, track: makeShortTrack('a'), nextTrack: null }
  change(withSubstitutes(room, { a: makeShortTrack('mine') }))
  await pass(5_000)
  expect(latest().calls[0]).toMatch(/^load mine at /)
  expect(latest().sample()?.positionMs).toBeCloseTo(25_000, -2)
  expect(reports.at(-1)).toMatchObject({ cause: 'in_sync' })
  const next = {
    ...state.timeline,
    trackId: 'b',
    source: 'library' as const,
    isPlaying: false,
    positionMs: 0,
  }
  change(
    withSubstitutes({ ...room, timeline: next, track: makeShortTrack('b') }, { a: makeShortTrack('mine') }),
  )
  await pass(1_000)
  expect(latest().calls).toContain('load b at 0')
  expect(players.map(({ kind }) => kind)).toEqual(['video', 'library'])
})

it('17.442 the player learns with each track which one follows as this listener hears it', async () => {
  vi.useFakeTimers({ now: 1_795_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { change, latest, state } = listen(playing(20_000))
  await pass(1_000)
  const timeline = { ...state.timeline, trackId: 'b', isPlaying: false, positionMs: 0 }
  const room = { timeline, track: makeShortTrack('b'), nextTrack: makeShortTrack('c') }
  change(withSubstitutes(room, { c: makeShortTrack('mine') }))
  await pass(1_000)
  expect(latest().followedBy).toEqual([undefined, 'mine'])
})
