import { describe, expect, it } from 'vitest'
import { readOutput } from './clock-reading.ts'

describe('readings of the output', () => {
  it('14.3 use the timestamp of Chromium: a frame that was rendered some time ago, audible just now', () => {
    const stamp = {
      contextTime: 9.95,
      performanceTime: 12_000,
      currentTime: 10,
      outputLatency: 0.05,
      nowMs: 12_004,
    }
    expect(readOutput(stamp, 0)).toMatchObject({
      reading: { contextMs: 9_950, wallMs: 12_000, renderOffsetMs: 2_004 },
      isCoarse: false,
    })
  })

  it('14.3 use the stated latency where the newest frame is dated to the past, as in Firefox', () => {
    const stamp = {
      contextTime: 10,
      performanceTime: 11_968,
      currentTime: 10,
      outputLatency: 0.032,
      nowMs: 12_000,
    }
    expect(readOutput(stamp, 0)).toEqual({
      reading: { contextMs: 9_968, wallMs: 12_000, renderOffsetMs: 2_000 },
      latencyMs: 32,
      isCoarse: true,
    })
  })

  it.each([12_073, 11_660, 23_800])(
    '14.3, 17.430 use the current time where the stamp is not of now (%d ms at 12,000 ms), as in WebKit',
    (performanceTime) => {
      const stamp = { contextTime: 9.997, performanceTime, currentTime: 10, outputLatency: 0, nowMs: 12_000 }
      expect(readOutput(stamp, 0)).toEqual({
        reading: { contextMs: 10_000, wallMs: 12_000, renderOffsetMs: 2_000 },
        latencyMs: null,
        isCoarse: true,
      })
    },
  )

  it('14.3 ignore a latency that no device has', () => {
    const chromium = {
      contextTime: 9,
      performanceTime: 12_000,
      currentTime: 10,
      outputLatency: 1,
      nowMs: 12_000,
    }
    expect(readOutput(chromium, 0)).toMatchObject({
      reading: { contextMs: 10_000, wallMs: 12_000 },
      latencyMs: 1_000,
    })
    const firefox = { ...chromium, contextTime: 10, performanceTime: 11_000 }
    expect(readOutput(firefox, 0)).toMatchObject({
      reading: { contextMs: 10_000, wallMs: 12_000 },
      latencyMs: 1_000,
    })
  })
})
