import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { earliest } from './deadlines.ts'
import { createMachineRun } from '../testing/machine-run.ts'
import { initialVideoPlayer, stepVideoPlayer, type VideoPlayerEvent } from './video-player.ts'

const load: VideoPlayerEvent = { type: 'load', videoId: 'a' }
const createRun = ({ hasPlace = true } = {}) =>
  createMachineRun({
    initial: { ...initialVideoPlayer, hasPlace },
    step: stepVideoPlayer,
    due: { type: 'due' },
  })
const types = ({ effects }: ReturnType<typeof createRun>) => effects.map(({ type }) => type)
const gapsMs = ({ effects }: ReturnType<typeof createRun>, type: string) => {
  const times = effects.filter((effect) => effect.type === type).map(({ atMs }) => atMs)
  return times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))
}

function readyRun() {
  const run = createRun()
  run.send(load)
  run.send({ type: 'created' })
  run.send({ type: 'ready' })
  return run
}

describe('a video player', () => {
  it('4.23a is loading until it is ready', () => {
    const run = createRun()
    run.send(load)
    expect(run.readState().phase).toBe('loading')
    run.send({ type: 'created' })
    expect(run.readState().phase).toBe('loading')
    run.send({ type: 'ready' })
    expect(run.readState().phase).toBe('ready')
    expect(types(run)).toEqual(['create'])
  })

  it('4.23a, 9.18 seeks and pauses 1 s after it is ready, once for each video', () => {
    const run = readyRun()
    run.pass(999)
    expect(types(run)).not.toContain('settle')
    run.pass(1)
    expect(types(run)).toContain('settle')
    run.pass(60_000)
    run.send({ type: 'load', videoId: 'b' })
    run.pass(60_000)
    expect(types(run)).toEqual(['create', 'settle', 'cue', 'settle'])
  })

  it('4.23a, 9.18 retries a failed load up to 3 times, after 2 s times the attempt', () => {
    const run = createRun()
    run.send(load)
    for (const attempt of [1, 2, 3]) {
      run.send({ type: 'load_failed', reason: 'no network' })
      expect(run.readState()).toMatchObject({
        phase: 'loading',
        problem: { kind: 'load_failed', reason: 'no network' },
      })
      run.pass(2_000 * attempt)
    }
    expect(gapsMs(run, 'create')).toEqual([2_000, 4_000, 6_000])
    run.send({ type: 'load_failed', reason: 'no network' })
    expect(run.readState()).toMatchObject({ phase: 'error', problem: { kind: 'gave_up' } })
    run.pass(60_000)
    expect(gapsMs(run, 'create')).toHaveLength(3)
  })

  it('17.111 creates a player anew whose frame was removed, up to 3 times until the video plays', () => {
    const run = readyRun()
    const remove = () => {
      run.send({ type: 'frame_removed' })
      run.send({ type: 'created' })
      run.send({ type: 'ready' })
    }
    for (let count = 0; count < 3; count += 1) remove()
    run.send({ type: 'playing' })
    for (let count = 0; count < 3; count += 1) remove()
    expect(types(run)).toEqual(Array.from({ length: 7 }, () => 'create'))
    run.send({ type: 'frame_removed' })
    expect(types(run).slice(7)).toEqual(['remove'])
    expect(run.readState()).toMatchObject({ phase: 'error', problem: { kind: 'gave_up' } })
    run.send({ type: 'frame_removed' })
    expect(types(run)).toHaveLength(8)
  })

  it('4.23a retries a script that does not answer', () => {
    const run = createRun()
    run.send(load)
    run.pass(10_000)
    expect(run.readState().problem).toEqual({ kind: 'load_failed', reason: 'YouTube did not answer in time' })
    run.pass(2_000)
    expect(gapsMs(run, 'create')).toEqual([12_000])
  })

  it('4.23a, 9.18 is re-created up to 3 times where it is not ready after 5 s', () => {
    const run = createRun()
    run.send(load)
    for (let turn = 0; turn < 4; turn += 1) {
      run.send({ type: 'created' })
      run.pass(5_000)
    }
    expect(gapsMs(run, 'create')).toEqual([5_000, 5_000, 5_000])
    // The last one may take longer.
    expect(run.readState()).toMatchObject({ phase: 'loading', player: 'starting' })
    run.pass(5_000)
    expect(run.readState()).toMatchObject({ phase: 'error', problem: { kind: 'gave_up' } })
    run.send(load)
    run.send({ type: 'created' })
    run.send({ type: 'ready' })
    expect(run.readState()).toMatchObject({ phase: 'ready', problem: null })
  })

  it('2.22b waits for its place on the page, and is created again in a new one', () => {
    const run = readyRun()
    run.send({ type: 'place_changed', hasPlace: false })
    expect(run.readState().phase).toBe('loading')
    run.pass(60_000)
    expect(types(run)).toEqual(['create', 'remove'])
    run.send({ type: 'place_changed', hasPlace: true })
    expect(types(run)).toEqual(['create', 'remove', 'create'])
    const early = createRun({ hasPlace: false })
    early.send(load)
    early.pass(60_000)
    expect(types(early)).toEqual([])
    early.send({ type: 'place_changed', hasPlace: true })
    expect(types(early)).toEqual(['create'])
  })
})

describe('an error of the player', () => {
  it.each([2, 5, 7, 1_000])('4.23b, 9.18 with code %d reloads the video up to 3 times', (code) => {
    const run = readyRun()
    for (const attempt of [1, 2, 3]) {
      run.send({ type: 'player_error', code })
      expect(run.readState()).toMatchObject({ phase: 'error', problem: { kind: 'code', code } })
      run.pass(2_000 * attempt - 1)
      expect(types(run).filter((type) => type === 'cue')).toHaveLength(attempt - 1)
      run.pass(1)
      expect(types(run).filter((type) => type === 'cue')).toHaveLength(attempt)
    }
    run.send({ type: 'player_error', code })
    run.pass(60_000)
    expect(types(run).filter((type) => type === 'cue')).toHaveLength(3)
    expect(run.readState()).toMatchObject({ phase: 'error', problem: { kind: 'code', code } })
  })

  it('4.23b is forgotten once the video plays', () => {
    const run = readyRun()
    for (let turn = 0; turn < 5; turn += 1) {
      run.send({ type: 'player_error', code: 5 })
      run.pass(2_000)
      run.send({ type: 'playing' })
      expect(run.readState()).toMatchObject({ phase: 'ready', problem: null })
    }
    expect(types(run).filter((type) => type === 'cue')).toHaveLength(5)
  })

  it.each([
    [100, 'removed'],
    [101, 'not_embeddable'],
    [150, 'not_embeddable'],
  ])('4.23b with code %d makes the video unplayable, without a reload', (code, reason) => {
    const run = readyRun()
    run.send({ type: 'player_error', code })
    expect(run.effects.at(-1)).toMatchObject({ type: 'unplayable', videoId: 'a', reason })
    run.pass(60_000)
    expect(types(run)).not.toContain('cue')
    run.send({ type: 'load', videoId: 'b' })
    expect(run.readState()).toMatchObject({ phase: 'ready', problem: null })
  })

  it('4.23b with code 153 is neither reloaded nor skipped', () => {
    const run = readyRun()
    run.send({ type: 'player_error', code: 153 })
    run.pass(60_000)
    expect(types(run)).toEqual(['create'])
    expect(run.readState()).toMatchObject({ phase: 'error', problem: { kind: 'code', code: 153 } })
  })
})

const anyEvent: fc.Arbitrary<VideoPlayerEvent> = fc.oneof(
  fc.record({ type: fc.constant('load' as const), videoId: fc.constantFrom('a', 'b') }),
  fc.constantFrom<VideoPlayerEvent>(
    { type: 'created' },
    { type: 'ready' },
    { type: 'playing' },
    { type: 'load_failed', reason: 'x' },
    { type: 'place_changed', hasPlace: true },
    { type: 'place_changed', hasPlace: false },
    { type: 'due' },
  ),
  fc.record({ type: fc.constant('player_error' as const), code: fc.constantFrom(2, 5, 99, 100, 150, 153) }),
)

it('4.23a in any order of events comes to rest, having created at most 4 players a load', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyEvent, fc.nat(3_000)), { maxLength: 30 }), (events) => {
      const run = createRun()
      for (const [event, ms] of events) {
        run.send(event)
        run.pass(ms)
      }
      run.send({ type: 'load', videoId: 'c' })
      const before = run.effects.length
      run.pass(600_000)
      expect(run.effects.length - before).toBeLessThan(20)
      expect(earliest(run.readState().deadlines)).toBeNull()
    }),
  )
})
