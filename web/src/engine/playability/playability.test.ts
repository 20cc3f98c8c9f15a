import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import type { TrackMatch, UnplayableReason } from '@earshot/core/protocol/providers'
import type { ClientAck, ClientEventName } from '@earshot/core/protocol/socket-events'
import { describe, expect, it } from 'vitest'
import { createPlayabilityReports, findUnplayable, pickSubstitute } from './playability.ts'
import { createRoomStore, update } from '../state/room-state.ts'
import { applyQueue } from '../state/queue-updates.ts'
import { applySnapshot } from '../state/server-updates.ts'
import { emptyRoom, makeQueue, makeSnapshot, makeShortTrack } from '../testing/room-fixtures.ts'

const playable = () => null

describe('findUnplayable', () => {
  it('15.28 finds the current and the next tracks that this listener cannot play, with the reason', () => {
    const reasons: Record<string, UnplayableReason> = { a: 'format', c: 'not_connected' }
    const found = findUnplayable(
      { track: makeShortTrack('a'), queue: makeQueue('b', 'c') },
      ({ id }) => reasons[id] ?? null,
    )
    expect(found).toEqual({ a: 'format', c: 'not_connected' })
  })

  it.each([
    ['not_embeddable', 'not_embeddable'],
    ['age_restricted', 'blocked'],
    ['live', 'live'],
    ['removed', 'removed'],
  ] as const)('15.28 counts a track that nobody can play: %s', (restriction, reason) => {
    const track = { ...makeShortTrack('a'), restriction }
    expect(findUnplayable({ track, queue: [] }, playable)).toEqual({ a: reason })
  })

  it('15.29 looks at no more tracks than a report may hold', () => {
    const queue = makeQueue(...Array.from({ length: 50 }, (_, index) => `q${index}`))
    const found = findUnplayable({ track: null, queue }, () => 'format')
    expect(Object.keys(found)).toHaveLength(limits.playabilityReportSize)
  })
})

describe('playability reports', () => {
  function open() {
    const sent: unknown[] = []
    let refusal: AppError | null = null
    const reasons = new Map<string, UnplayableReason>()
    const store = createRoomStore(applySnapshot(emptyRoom(), makeSnapshot()))
    const connection = {
      isConnected: () => true,
      call: <Name extends ClientEventName>(_name: Name, payload: unknown) => {
        sent.push((payload as { unplayable: unknown }).unplayable)
        const answer = { unplayable: { b: sent.length } } as unknown as ClientAck<Name>
        return refusal ? Promise.reject(refusal) : Promise.resolve(answer)
      },
    }
    const room = { roomId: 'room', store, connection }
    const reports = createPlayabilityReports(room, ({ id }) => reasons.get(id) ?? null)
    const refuse = (error: AppError | null) => {
      refusal = error
    }
    return { sent, reasons, store, reports, refuse }
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve))

  it('15.28 are sent after joining, also when nothing is unplayable, and bring the counts', async () => {
    const { sent, store, reports } = open()
    reports.refresh()
    expect(sent).toEqual([])
    reports.restart()
    await settle()
    expect(sent).toEqual([[]])
    expect(store.getState()).toMatchObject({ unplayable: { b: 1 }, ownUnplayable: {} })
  })

  it('15.28 are sent again only when they change', async () => {
    const { sent, reasons, store, reports } = open()
    reports.restart()
    await settle()
    reasons.set('c', 'no_premium').set('d', 'no_premium')
    reports.refresh()
    await settle()
    reports.refresh()
    expect(sent).toEqual([[], [{ trackId: 'c', reason: 'no_premium' }]])
    expect(store.getState().ownUnplayable).toEqual({ c: 'no_premium' })
    update(store, (state) => applyQueue(state, makeQueue('c', 'd'), 2))
    reports.refresh()
    expect(sent).toHaveLength(3)
    expect(store.getState().ownUnplayable).toEqual({ c: 'no_premium', d: 'no_premium' })
  })

  it('15.28 a refused one is sent with the next refresh', async () => {
    const { sent, reports, refuse } = open()
    refuse(new AppError('rate_limited'))
    reports.restart()
    await settle()
    refuse(null)
    reports.refresh()
    await settle()
    reports.refresh()
    expect(sent).toHaveLength(2)
  })
})

const match = (
  id: string,
  confidence: number,
  source: TrackMatch['track']['source'] = 'library',
): TrackMatch => ({ track: { ...makeShortTrack(id), source }, confidence, by: 'text' })

it('15.37 picks the surest match that can be played, and none from Spotify', () => {
  const matches = [match('s', 1, 'spotify'), match('low', 0.7), match('y', 0.9, 'youtube'), match('z', 0.95)]
  expect(pickSubstitute(matches, (track) => track.id !== 'z')?.track.id).toBe('y')
  expect(pickSubstitute(matches, () => true)?.track.id).toBe('z')
  expect(pickSubstitute(matches, () => false)).toBeNull()
  expect(pickSubstitute([], () => true)).toBeNull()
})

it('15.37 passes over a match that nobody can play in a room', () => {
  const restricted = match('y', 0.9, 'youtube')
  restricted.track.restriction = 'not_embeddable'
  expect(pickSubstitute([restricted, match('l', 0.6)], () => true)?.track.id).toBe('l')
})
