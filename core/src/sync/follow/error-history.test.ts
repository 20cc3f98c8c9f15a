import { expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { addErrorSample, summariseErrors, type ErrorHistory, type ErrorSample } from './error-history.ts'

const turn = (atMs: number, rest: Partial<ErrorSample> = {}): ErrorSample => ({
  atMs,
  errorMs: 1,
  cause: 'in_sync',
  isHidden: false,
  ...rest,
})
const keep = (turns: ErrorSample[]): ErrorHistory => turns.reduce<ErrorHistory>(addErrorSample, [])
const everyTurn = (count: number, rest: (index: number) => Partial<ErrorSample> = () => ({})) =>
  Array.from({ length: count }, (_, index) => turn(index * limits.errorSampleEveryMs, rest(index)))

it('2.37e keeps at most two samples a second', () => {
  const turns = Array.from({ length: 41 }, (_, index) => turn(index * 250))
  expect(keep(turns).map(({ atMs }) => atMs)).toEqual(Array.from({ length: 21 }, (_, index) => index * 500))
})

it('2.37e keeps the last two minutes', () => {
  const history = keep(everyTurn(2_000))
  const last = history.at(-1)?.atMs ?? 0
  expect(last - (history[0]?.atMs ?? 0)).toBe(limits.errorHistoryMs)
  expect(history).toHaveLength(241)
})

it('2.37e drops samples from before a sleep', () => {
  expect(keep([turn(0), turn(500), turn(3_600_000)])).toEqual([turn(3_600_000)])
})

it('2.37e keeps meaningful figures only, and a gap otherwise', () => {
  const history = keep([
    turn(0, { errorMs: -12, cause: 'correcting' }),
    turn(500, { errorMs: 900, cause: 'buffering' }),
    turn(1_000, { errorMs: null, cause: 'paused' }),
  ])
  expect(history.map(({ errorMs }) => errorMs)).toEqual([-12, null, null])
})

it('2.37e summarises the latest signed error, and percentiles of the absolute errors', () => {
  const history = keep(everyTurn(100, (index) => ({ errorMs: (index % 2 === 0 ? -1 : 1) * (index + 1) })))
  expect(summariseErrors(history)).toMatchObject({
    sampleCount: 100,
    figureCount: 100,
    currentMs: 100,
    p50Ms: 50,
    p95Ms: 95,
  })
})

it('counts buffering, its share of the time, and the share in the background', () => {
  const causes = ['in_sync', 'buffering', 'buffering', 'in_sync', 'buffering'] as const
  const history = keep(everyTurn(5, (index) => ({ cause: causes[index] ?? 'paused', isHidden: index === 3 })))
  expect(summariseErrors(history)).toMatchObject({
    figureCount: 2,
    currentMs: null,
    bufferingSpells: 2,
    bufferingShare: 0.6,
    hiddenShare: 0.2,
  })
})

it('has an empty summary at first', () => {
  expect(summariseErrors([])).toEqual({
    sampleCount: 0,
    figureCount: 0,
    currentMs: null,
    p50Ms: null,
    p95Ms: null,
    bufferingSpells: 0,
    bufferingShare: 0,
    hiddenShare: 0,
  })
})
