import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { capabilitiesOf } from '../testing/fake-player.ts'
import { makeCodec, makeDevice, makeDiagnosisFacts } from '../testing/diagnosis-facts.ts'
import { diagnose } from './diagnose.ts'

const codesOf = (...changes: Parameters<typeof makeDiagnosisFacts>) =>
  diagnose(makeDiagnosisFacts(...changes)).map(({ code }) => code)
const bounds = limits.diagnosis
const disconnected = { status: 'connecting', transport: null } as const
const health = { latencyMs: null, version: null }

it('2.37c returns no findings without problems', () => {
  expect(diagnose(makeDiagnosisFacts())).toEqual([])
})

it('2.37c sorts the findings by severity', () => {
  const facts = makeDiagnosisFacts({
    clock: { deviceAheadMs: -3_600_000 },
    connection: { transport: 'polling' },
    sound: { isBlocked: true },
  })
  expect(diagnose(facts)).toEqual([
    { code: 'sound_blocked', severity: 'problem' },
    { code: 'long_polling', severity: 'notice' },
    { code: 'device_clock_off', severity: 'ok' },
  ])
})

describe('2.37c the connection', () => {
  it.each([
    ['offline', { ...disconnected, isOnline: false }],
    ['server_unreachable', { ...disconnected, health: { ...health, state: 'unreachable' } }],
    ['server_unhealthy', { ...disconnected, health: { ...health, state: 'unhealthy' } }],
    ['realtime_refused', { ...disconnected, status: 'disabled' }],
    ['server_unhealthy', { health: { ...health, state: 'unhealthy' } }],
    ['http_unreachable', { health: { ...health, state: 'unreachable' } }],
    ['long_polling', { transport: 'polling' }],
  ] as const)('%s', (code, connection) => {
    expect(codesOf({ connection })).toEqual([code])
  })

  it('is slow above a median round trip of 300 ms', () => {
    const { poorLatencyMs } = limits
    expect(codesOf({ clock: { roundTripsMs: [301, 301, 301], probesSent: 3 } })).toEqual(['high_latency'])
    const mostlyFast = [poorLatencyMs, poorLatencyMs, poorLatencyMs + 1]
    expect(codesOf({ clock: { roundTripsMs: mostlyFast, probesSent: 3 } })).toEqual([])
  })

  it('is the only finding while disconnected: the clock cannot be measured', () => {
    const clock = { isUsable: false, roundTripsMs: [], probesSent: 10 }
    expect(codesOf({ connection: { ...disconnected, isOnline: false }, clock })).toEqual(['offline'])
  })
})

describe('2.37c the page', () => {
  it.each([
    ['cookies_off', { hasCookies: false, session: 'signed_out' }],
    ['session_missing', { session: 'signed_out' }],
    ['page_outdated', { isCurrent: false }],
  ] as const)('%s', (code, page) => {
    expect(codesOf({ page })).toEqual([code])
  })

  it('gives no finding for unknown facts', () => {
    expect(codesOf({ page: { session: 'unreadable', isCurrent: null } })).toEqual([])
  })
})

describe('2.37c the clock', () => {
  it.each([
    ['clock_not_measured', { isUsable: false, uncertaintyMs: Infinity }],
    ['clock_uncertain', { uncertaintyMs: bounds.clockUncertaintyMs + 1 }],
    ['probes_lost', { probesSent: 12 }],
    ['probes_jittery', { roundTripsMs: [8, 8, 8, 8, 8, 8, 8, 8, 120, 130] }],
    ['device_clock_off', { deviceAheadMs: bounds.deviceClockMs + 1 }],
    ['device_clock_off', { deviceAheadMs: -bounds.deviceClockMs - 1 }],
  ] as const)('%s', (code, clock) => {
    expect(codesOf({ clock })).toEqual([code])
  })

  it('tolerates one lost probe, one slow probe, and an extra answer', () => {
    expect(codesOf({ clock: { probesSent: 11 } })).toEqual([])
    expect(codesOf({ clock: { roundTripsMs: [8, 8, 8, 8, 8, 8, 8, 8, 8, 250] } })).toEqual([])
    expect(codesOf({ clock: { probesSent: 0, roundTripsMs: [], deviceAheadMs: null } })).toEqual([])
  })
})

describe('2.37c the sound', () => {
  it.each([
    ['sound_blocked', { isBlocked: true }],
    ['muted', { isMuted: true }],
    ['insecure_context', { isSecure: false, hasDecoder: false, track: makeCodec('opus', false) }],
    ['no_decoder', { hasDecoder: false, track: makeCodec('opus', false) }],
    ['track_undecodable', { track: makeCodec('wma', false, false) }],
    ['track_undecodable', { track: makeCodec('wma', false, false), device: makeDevice({ status: 'error' }) }],
    ['track_failed', { device: makeDevice({ status: 'error' }) }],
    ['track_failed', { device: makeDevice({ status: 'error' }), track: null }],
    ['track_by_element', { track: makeCodec('aac', false) }],
    ['output_latency_long', { device: makeDevice({}, bounds.longOutputLatencyMs + 1) }],
    ['output_latency_long', { device: makeDevice({}, 300) }],
    ['output_latency_ignored', { device: makeDevice({}, 301) }],
    ['output_latency_unknown', { device: makeDevice({}, null) }],
  ] as const)('%s', (code, sound) => {
    expect(codesOf({ sound })).toEqual([code])
  })

  it('17.430 gives no finding while nothing plays', () => {
    expect(codesOf({ sound: { device: null, track: null } })).toEqual([])
    expect(codesOf({ sound: { device: makeDevice({ status: 'paused' }, null) } })).toEqual([])
  })
})

describe('2.37c the sync', () => {
  it.each([
    ['sync_error_large', { p50Ms: 6, p95Ms: 40 }],
    ['sync_error_swinging', { p50Ms: 2, p95Ms: 21 }],
    ['buffering_often', { bufferingSpells: bounds.bufferingSpells }],
    ['buffering_often', { bufferingShare: bounds.bufferingShare + 0.01 }],
    ['tab_hidden', { hiddenShare: bounds.hiddenShare + 0.01 }],
  ] as const)('%s', (code, sync) => {
    expect(codesOf({ sync })).toEqual([code])
  })

  it('gives a finding while the page is hidden', () => {
    expect(codesOf({ page: { isHidden: true } })).toEqual(['tab_hidden'])
  })

  it('is judged by the limits of the kind of player', () => {
    const sync = { p50Ms: 30, p95Ms: 60 }
    const video = makeDevice({ capabilities: capabilitiesOf.coarseVideo })
    expect(codesOf({ sync, sound: { device: video } })).toEqual([])
    expect(codesOf({ sync })).toEqual(['sync_error_large'])
  })

  it('is not judged with too few samples, or without a player', () => {
    const few = bounds.minSamples - 1
    expect(codesOf({ sync: { figureCount: few, p50Ms: 50, p95Ms: 90 } })).toEqual([])
    expect(codesOf({ sync: { sampleCount: few, bufferingShare: 1 } })).toEqual([])
    expect(codesOf({ sync: { p50Ms: 50 }, sound: { device: null } })).toEqual([])
  })
})
