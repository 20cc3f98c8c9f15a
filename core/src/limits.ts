/**
 * The business constants of section 9 of docs/spec.md, in its order (the number is in the comment), then the others that
 * core or the page needs. Those that only the server needs are in its `server-limits`. Durations are in milliseconds.
 */
export const limits = {
  searchPageSize: 20, // 9.1
  unknownDurationMs: 180_000, // 9.2, 9.15: the sentinel of an unknown duration
  roomsListRefreshMs: 30_000, // 9.3
  syncRequestPlayingMs: 30_000, // 9.4
  syncRequestIdleMs: 45_000, // 9.4: paused or hidden
  roomLoadingTimeoutMs: 15_000, // 9.5
  recoveryWindowMs: 60_000, // 9.6
  duplicateJoinWindowMs: 2_000, // 9.7
  joinRetries: 3, // 9.8
  joinRetryIntervalMs: 2_000, // 9.8
  joinCheckIntervalMs: 5_000, // 9.8
  broadcastThrottleMs: 500, // 9.9
  ownerPositionReportMs: 5_000, // 9.10
  positionPollMs: 500, // 9.11
  forcedSyncIntervalMs: 10_000, // 9.12
  driftAllowanceMs: 100, // 9.13: only before the first clock sample
  driftElapsedMaxMs: 10_000, // 9.13
  seekThresholdMs: 2_000, // 9.14: for remote position reports
  durationCorrectionMs: 5_000, // 9.15
  sequenceStepPlayPause: 100, // 9.16
  sequenceStepOther: 1, // 9.16
  connectTimeoutMs: 7_000, // 9.17
  reconnectDelayMs: 1_000, // 9.17
  reconnectAttempts: 5, // 9.17
  poorLatencyMs: 300, // 9.17
  switchLatencyMs: 1_000, // 9.17
  switchLatencyWindow: 5, // 9.17
  switchLatencyMinSamples: 3, // 9.17
  qualityCheckMs: 30_000, // 9.17
  pingTimeoutMs: 3_000, // 9.17
  backgroundPingMs: 10_000, // 9.17: the clock probe of a hidden tab
  inactivityMarkValidMs: 300_000, // 9.17
  messageHistorySize: 20, // 9.17
  positionReportsPerSecond: 1, // 9.17
  videoLoadRetries: 3, // 9.18: also the reloads after an error
  videoRetryMs: 2_000, // 9.18: times the attempt
  videoReadyTimeoutMs: 5_000, // 9.18
  videoLastReadyTimeoutMs: 10_000, // of the last player: on a slow connection each one takes long
  videoRecreations: 3, // 9.18
  videoSettleMs: 1_000, // 9.18: the initial seek and pause
  passwordMinLength: 6, // 9.19
  splashMs: 2_000, // 9.20
  callbackRedirectMs: 2_000, // 9.21
  noticeMinMs: 2_000, // 9.22
  noticeMaxMs: 10_000, // 9.22
  environmentNoticeMs: 10_000, // 9.23
  queueListHeightPx: 400, // 9.24
  albumArtSmallPx: 40, // 9.25
  listenerCountRoomFallback: 1, // 9.26
  newRoomIsPublic: true, // 9.27

  // Membership and connection (section 4)
  initialSyncRequestMs: 1_500, // 4.7
  forcedReconnectDelayMs: 500, // 4.3
  forcedReconnectCheckMs: 5_000, // 4.3
  inactivityReconnectMs: 1_000, // 4.6
  disabledRetryMs: 5_000, // retry interval of a disabled connection
  echoTimeoutMs: 5_000, // 8.16
  repeatUnansweredMs: 1_000, // 7.16, 7.21
  repeatCommandMs: 300, // 7.20

  // Clock probes
  probeBurstCount: 16,
  probeBurstGapMs: 50,
  probeTailCount: 64, // after a burst on an unsteady path
  probeTailGapMs: 120,
  probeUnsettledGapMs: 60, // of the tail, while the clock has not settled
  probeUsableCount: 8,
  probeUsableSteadyCount: 4, // on a steady path
  probeIntervalMs: 2_500,
  probeUnsteadyIntervalMs: 625,
  probeSettledIntervalMs: 5_000, // on a steady path with a known skew
  probeJitter: 0.2, // of each interval, in both directions
  probeWindowCount: 64,
  probeWindowMs: 40_000,
  probeMaxRttMs: 500,
  probeSkewWindowMs: 300_000,
  probeSlowFactor: 3, // a round trip above this many times the best one plus probeSlowMs is ignored
  probeSlowMs: 50,
  clockUnsteadyMs: 0.2, // a larger sampling error of the offset makes the path unsteady
  clockUsableMs: 10, // with a larger sampling error the clock is not usable yet
  clockSettledMs: 2, // a larger sampling error is still settling
  clockStepMs: 50,
  clockSlewMs: 1,
  clockSlewPerMs: 100,
  wakeGapMs: 2_000,

  // Scheduled commands
  leadMinMs: 120,
  leadMaxMs: 3_000,
  leadRttFactor: 1.5,
  leadTrustedRttMs: 250, // that the members of a room with a shorter median may report
  leadMedianFactor: 3, // and where the median is long, this many times it
  startCostMs: { library: 100, libraryElement: 200, youtube: 300, spotify: 500 },
  cuedSpotifyStartCostMs: 300, // it is loaded and paused by then
  moveCostMs: 100, // pages decode, or draw, what a playing room moves to
  stopAfterMs: 150, // pages that hear of a pause within this, less what their output holds, stop together
  outputRestAfterMs: 30_000, // a page suspends its audio output this long after a pause
  outputResumeMs: 300, // the start cost of resuming it, or starting it first
  cueTimeoutMs: 3_000,
  loadingAwaitedMs: 10_000, // Play waits for a member who loads for so long at most
  cueQuorum: 0.9,
  cueQuorumAbove: 20,
  forcedReportAgreementMs: 250, // exceeds the widest dead band of a player
  recentCommandIds: 64,
  previousRestartMs: 3_000, // beyond this position, previous restarts the track
  followUpWindowMs: 2_000,

  // The video player
  videoScriptTimeoutMs: 10_000,
  videoDurationAfterMs: 2_000, // 9.2
  videoStartTimeoutMs: 3_000, // a player that has not begun to start by then is blocked by the browser
  videoAdMaxMs: 30_000, // a longer ad is looked at again
  videoAdSeekMs: 2_500, // a seek without effect by then has reached an ad

  // Diagnosis
  errorHistoryMs: 120_000,
  errorSampleEveryMs: 500,
  plausibleOutputLatencyMs: 300, // some devices report seconds; longer latencies are ignored
  diagnosis: {
    probeCount: 10,
    probeGapMs: 100,
    stepTimeoutMs: 2_500,
    lostProbes: 2, // a single loss is no finding
    jitterMs: 100, // between the fastest probe and the 90th percentile
    clockUncertaintyMs: 50,
    deviceClockMs: 2_000,
    longOutputLatencyMs: 100, // wireless headphones and speakers
    minSamples: 20, // fewer samples give no finding
    swingFactor: 4, // times the in-sync limit
    bufferingSpells: 3,
    bufferingShare: 0.2,
    hiddenShare: 0.1,
  },

  // Presence
  membersPageSize: 200,
  joinQueueSize: 50, // entries of a long queue that a join brings; 15 kB
  ownerAwayMs: 60_000, // then the member who is there longest gets the controls
  controllerAwayMs: 10_000, // then the next one gets them: long enough to rejoin after a restart
  syncReportMs: 5_000,
  syncShownMembers: 12, // whose figures everybody gets: the faces round the cover
  activityShown: 50, // lines that a page keeps

  // Nudge: the listener's manual sync adjustment
  nudgeStepMs: 10,
  nudgeMaxMs: 1_000,

  // Music library
  libraryScanRefreshMs: 2_000, // reload interval of the library while the server scans its folder

  libraryCursorMaxLength: 6_000,

  coverSizesPx: [96, 320, 640],

  // Loudness: what a track's tags may state
  trackGainMaxDb: 40,
  trackPeakMax: 10,

  // Input
  roomNameMaxLength: 80,
  roomPasswordMaxLength: 128,
  accountPasswordMaxLength: 128,
  messageMaxLength: 1_000, // code points
  inviteUsesMax: 1_000, // to a room or the server
  serverInviteDaysMax: 365,
  inviteNoteMaxLength: 80,
  messagesPageSize: 50,
  searchQueryMaxLength: 200,
  searchOffsetMax: 10_000,
  libraryOffsetMax: 1_000_000,
  queueMaxLength: 1_000,
  waitingTracks: [3, 10, 30], // of one member in a queue, as the owner chooses
  restoreWindowMs: 60_000, // for this long, a removed entry can be put back
  importBatchSize: 50, // tracks of one import call
  importMemoryMs: 3_600_000, // for this long, a repeated import adds nothing twice
  recentImports: 32, // imports that a room remembers
  playabilityReportSize: 20, // tracks of one playability report
  mediaTimeMaxMs: 604_800_000, // maximum position or duration: a week
  displayNameMaxLength: 60,
  profilePictureMaxBytes: 150_000, // as it is sent; the server stores a smaller one
  profilePictureSidePx: 192, // of the stored one; the largest is shown at 72 px
  inputMaxDepth: 32,
  roomsPageMax: 100,

  // Rate limits that pages know: `points` in each window of `perMs`. The others are in the server's `limits/rates`.
  rates: {
    probe: { points: 60, perMs: 1_000 }, // of one socket
    chat: { points: 5, perMs: 3_000 },
    reaction: { points: 10, perMs: 2_000 },
  },
} as const
