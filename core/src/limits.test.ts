import { describe, expect, it } from 'vitest'
import { limits } from './limits.ts'

describe('the business constants', () => {
  it('9.1a a search page has 20 results', () => expect(limits.searchPageSize).toBe(20))

  it('9.3 the rooms list refreshes every 30 s', () => expect(limits.roomsListRefreshMs).toBe(30_000))

  it('9.4 a sync request goes out every 30 s while playing, and every 45 s while paused or hidden', () => {
    expect(limits.syncRequestPlayingMs).toBe(30_000)
    expect(limits.syncRequestIdleMs).toBe(45_000)
  })

  it('9.5 loading a room times out after 15 s', () => expect(limits.roomLoadingTimeoutMs).toBe(15_000))

  it('9.6 the recovery window is 60 s', () => expect(limits.recoveryWindowMs).toBe(60_000))

  it('9.7 the duplicate-join window is 2 s', () => expect(limits.duplicateJoinWindowMs).toBe(2_000))

  it('9.8 joins are tried again 3 times, every 2 s, and checked every 5 s', () => {
    expect(limits.joinRetries).toBe(3)
    expect(limits.joinRetryIntervalMs).toBe(2_000)
    expect(limits.joinCheckIntervalMs).toBe(5_000)
  })

  it('9.9 broadcasts are throttled to one per 500 ms', () => expect(limits.broadcastThrottleMs).toBe(500))

  it('9.10 the owner’s position is reported at most every 5000 ms', () => {
    expect(limits.ownerPositionReportMs).toBe(5_000)
  })

  it('9.11 the position is polled every 500 ms', () => expect(limits.positionPollMs).toBe(500))

  it('9.12 the room is re-anchored every 10000 ms while playing', () => {
    expect(limits.forcedSyncIntervalMs).toBe(10_000)
  })

  it('9.13 the drift correction adds 100 ms, up to an elapsed time of 10 s', () => {
    expect(limits.driftAllowanceMs).toBe(100)
    expect(limits.driftElapsedMaxMs).toBe(10_000)
  })

  it('9.14 the seek threshold is 2 s', () => expect(limits.seekThresholdMs).toBe(2_000))

  it('9.15 durations are corrected by more than 5000 ms, and 180000 ms is unknown', () => {
    expect(limits.durationCorrectionMs).toBe(5_000)
    expect(limits.unknownDurationMs).toBe(180_000)
  })

  it('9.16 sequence numbers step by 100 for play and pause, by 1 otherwise', () => {
    expect(limits.sequenceStepPlayPause).toBe(100)
    expect(limits.sequenceStepOther).toBe(1)
  })

  it('9.17a the reconnect delay is 1 s', () => expect(limits.reconnectDelayMs).toBe(1_000))

  it('9.17b one unforced position report per second and member is taken', () => {
    expect(limits.positionReportsPerSecond).toBe(1)
  })

  it('9.17c an attempt to connect takes 7 s at most, and a server gets 5', () => {
    expect(limits.connectTimeoutMs).toBe(7_000)
    expect(limits.reconnectAttempts).toBe(5)
  })

  it('9.17d the quality of a connection is measured as it is', () => {
    expect(limits).toMatchObject({
      poorLatencyMs: 300,
      switchLatencyMs: 1_000,
      switchLatencyWindow: 5,
      switchLatencyMinSamples: 3,
      qualityCheckMs: 30_000,
      pingTimeoutMs: 3_000,
      backgroundPingMs: 10_000,
      inactivityMarkValidMs: 300_000,
      messageHistorySize: 20,
    })
  })

  it('9.19 a password has at least 6 characters', () => expect(limits.passwordMinLength).toBe(6))

  it('9.20 the splash lasts 2000 ms', () => expect(limits.splashMs).toBe(2_000))

  it('9.22 notices last 2 to 10 s', () => {
    expect(limits.noticeMinMs).toBe(2_000)
    expect(limits.noticeMaxMs).toBe(10_000)
  })

  it('9.24 the queue is 400px high at most, the results 300px', () => {
    expect(limits.queueListHeightPx).toBe(400)
    expect(limits.resultsListHeightPx).toBe(300)
  })

  it('9.25 album art is 150px in now playing and 40px in lists', () => {
    expect(limits.albumArtLargePx).toBe(150)
    expect(limits.albumArtSmallPx).toBe(40)
  })

  it('9.26 the listener count is 0 by default, and 1 in the room page while it is unknown', () => {
    expect(limits.listenerCountDefault).toBe(0)
    expect(limits.listenerCountRoomFallback).toBe(1)
  })

  it('9.27 a new room is public', () => expect(limits.newRoomIsPublic).toBe(true))

  it('9.29 a queue holds 1000 entries', () => expect(limits.queueMaxLength).toBe(1_000))

  it('holds what is planned: the video player, the callback page and the environment notice', () => {
    expect(limits).toMatchObject({
      videoLoadRetries: 3,
      videoLoadRetryStepMs: 2_000,
      videoReadyTimeoutMs: 5_000,
      videoRecreations: 3,
      videoErrorReloadMs: 2_000,
      videoInitialSeekAfterMs: 1_000,
      callbackRedirectMs: 2_000,
      environmentNoticeAutoCloseMs: 10_000,
    })
  })

  it('4.3c a forced reconnect waits 0.5 s, and is looked at after 5 s', () => {
    expect(limits.forcedReconnectDelayMs).toBe(500)
    expect(limits.forcedReconnectCheckMs).toBe(5_000)
  })

  it('4.6b an inactive page connects after 1 s', () => expect(limits.inactivityReconnectMs).toBe(1_000))

  it('4.7c, 4.7d the initial state comes 1 s after the owner, a listener’s request 1.5 s after them', () => {
    expect(limits.initialStateBroadcastMs).toBe(1_000)
    expect(limits.initialSyncRequestMs).toBe(1_500)
  })

  it('4.13b a cue waits 3 s at most, for 90 % in rooms over 20', () => {
    expect(limits).toMatchObject({ cueTimeoutMs: 3_000, cueQuorum: 0.9, cueQuorumAbove: 20 })
  })

  it('4.20e listeners report every 5 s', () => expect(limits.syncReportMs).toBe(5_000))

  it('5.8d, 6.4a calls, tries to sign in and tries at a password have their rates', () => {
    expect(limits.rates).toMatchObject({
      http: { points: 300, perMs: 10_000 },
      signInAddress: { points: 100, perMs: 60_000 },
      signIn: { points: 10, perMs: 60_000 },
      roomPassword: { points: 5, perMs: 60_000 },
    })
  })

  it('7.16b, 7.20b, 7.21 what is not answered is sent again after 1 s, a command after 300 ms', () => {
    expect(limits.repeatUnansweredMs).toBe(1_000)
    expect(limits.repeatCommandMs).toBe(300)
  })

  it('2.27, 5.2b, 5.2c a page of the chat has 50 messages, names and passwords their lengths', () => {
    expect(limits.messagesPageSize).toBe(50)
    expect(limits.roomNameMaxLength).toBe(80)
    expect(limits.roomPasswordMaxLength).toBe(128)
  })

  it('lets listeners nudge by 10 ms', () => expect(limits.nudgeStepMs).toBe(10))

  it('8.16a an echo is waited for 5 s', () => expect(limits.echoTimeoutMs).toBe(5_000))

  it('lets a burst of clock probes through, whatever else is sent', () => {
    const { points, perMs } = limits.rates.probe
    const inAWindow = Math.min(limits.probeBurstCount, perMs / limits.probeBurstGapMs)
    expect(points).toBeGreaterThanOrEqual(2 * inAWindow)
  })
})
