import { dayMs } from './clock.ts'
import { rates } from './rates.ts'

/**
 * Every business constant, in the order of section 9 of docs/spec.md (the number is in the comment), then the
 * constants of the sync algorithm and the limits on input. Durations are in milliseconds.
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
  /** A duration outside of these that is reported of a video holds for that room alone. */
  sharedDurationMinMs: 10_000,
  sharedDurationMaxMs: 43_200_000, // the longest video that may be uploaded
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
  initialStateBroadcastMs: 1_000, // 4.7
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
  outputRestAfterMs: 30_000, // a page suspends its audio output this long after a pause
  outputResumeMs: 300, // the start cost of resuming it
  cueTimeoutMs: 3_000,
  cueQuorum: 0.9,
  cueQuorumAbove: 20,
  forcedReportAgreementMs: 250, // exceeds the widest dead band of a player
  recentCommandIds: 64,
  previousRestartMs: 3_000, // beyond this position, previous restarts the track
  followUpWindowMs: 2_000,
  roomSweepMs: 2_500,
  roomSweepHorizonMs: 5_000,
  roomSweepBatchSize: 500,

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
  presenceLeaseMs: 30_000,
  presenceRenewMs: 10_000,
  presenceGraceMs: 15_000,
  presenceBatchMs: 1_000,
  presenceBatchAbove: 50,
  presenceBatchPerMemberMs: 1, // bounds the cost of a large room: 10,000 members are updated every 10 s
  presenceCountMs: 10_000, // between two numbers of members of a room whose first page stays
  presenceSweepMs: 1_000,
  processLeaseMs: 10_000, // a process that renews nothing for so long is dead
  processRenewMs: 2_000,
  httpPresenceLeaseMs: 60_000, // of a member without a socket; renewed by HTTP calls about the room and by its audio
  membersPageSize: 200,
  ownerAwayMs: 60_000, // then the member who is there longest gets the controls
  controllerAwayMs: 10_000, // then the next one gets them: long enough to rejoin after a restart
  syncReportMs: 5_000,
  syncReportKeepMs: 15_000,
  syncShownMembers: 12, // whose figures everybody gets: the faces round the cover
  syncChangeMs: 1, // a figure that changed by less, or by less than syncChangeShare, is not sent again
  syncChangeShare: 0.25,
  activityBatchMs: 2_000, // activity of a room is collected for this long and sent as few lines
  activityPerMember: { lines: 6, perMs: 60_000 }, // beyond it, a member's lines wait and are merged
  activityPerRoom: { lines: 20, perMs: 60_000 },
  activityWaitingMax: 1_000, // lines of a room that wait before they are merged; more are dropped
  activityNamed: 10, // users whom a line of several who joined names
  activityShown: 50, // lines that a page keeps
  orphanSweepMs: 60_000,
  orphanGraceMs: 60_000, // grace period for members to reconnect after a server start

  // Reactions
  reactionBatchMs: 100, // a room gets at most one broadcast of reactions in this time
  reactionLeadMinMs: 200, // until a reaction appears on all pages
  reactionLeadMaxMs: 1_000,

  // Nudge: the listener's manual sync adjustment
  nudgeStepMs: 10,
  nudgeMaxMs: 1_000,

  // Music library
  libraryScanRefreshMs: 2_000, // reload interval of the library while the server scans its folder

  libraryPageSize: 60, // albums or artists
  libraryTracksPageSize: 200, // of an album, or of an artist without one
  libraryRecentAlbums: 24,
  libraryMatchesMax: 12, // albums, and as many artists, found by a search
  libraryLettersMax: 100, // at which a list may start
  libraryCursorMaxLength: 6_000,
  waveformPeaks: 200, // values of a track's waveform, from 0 to 255
  waveformMaxMs: 10_800_000, // a longer track has no waveform

  coverSizesPx: [96, 320, 640],

  // Input
  roomNameMaxLength: 80,
  roomPasswordMaxLength: 128,
  accountPasswordMaxLength: 128,
  mailsPerHour: 5, // of one kind, to one address and about one account
  roomInviteMs: 14 * dayMs, // validity of an invite link
  roomInvitesMax: 100, // valid at a time per room
  roomBansMax: 500, // per room
  guestBanMs: dayMs, // for this long, a banned guest's address is refused to other guests
  doorFaces: 5, // members shown at a room's door
  doorCacheMs: 1_000,
  doorCacheMax: 1_000, // rooms
  coverGrantMs: 600_000, // an invited visitor may load a cover for once to twice as long
  guestUnusedMs: dayMs, // a guest who never entered a room is deleted after a day
  messageMaxLength: 1_000, // code points
  signUpsPerHour: 20, // from one address, unless SIGN_UPS_PER_HOUR is set
  inviteUsesMax: 1_000, // to a room or the server
  serverInviteDaysMax: 365,
  serverInvitesMax: 200, // valid at a time
  inviteNoteMaxLength: 80,
  adminCodeMs: dayMs, // validity of the code that makes the first administrator
  adminCodeAttempts: 100, // wrong ones by everybody together end the code
  adminPageSize: 50,
  libraryProblemsShown: 200,
  messagesPageSize: 50,
  searchQueryMaxLength: 200,
  searchOffsetMax: 10_000,
  searchMatchesMax: 200, // ranked and returned, over all pages
  searchWordsMax: 8, // different words that a search of the library requires
  librarySearchPoints: 3, // of the rate `library`
  libraryOffsetMax: 1_000_000,
  queueMaxLength: 1_000,
  queueUpdateMs: 500, // between whole queues sent to clients that know no differences
  restoreWindowMs: 60_000, // for this long, a removed entry can be put back
  historyMaxLength: 100, // played tracks kept per room
  historyPageSize: 50,
  orderEntriesPerPoint: 250, // of the rate `queue`, for a whole order of a queue
  importBatchSize: 50, // tracks of one import call
  importMemoryMs: 3_600_000, // for this long, a repeated import adds nothing twice
  recentImports: 32, // imports that a room remembers
  importTracksPerPoint: 5, // of the rate `queue`
  playabilityReportSize: 20, // tracks of one playability report
  mediaTimeMaxMs: 604_800_000, // maximum position or duration: a week
  displayNameMaxLength: 60,
  profilePictureMaxBytes: 150_000, // as it is sent; the server stores a smaller one
  profilePictureSidePx: 192, // of the stored one; the largest is shown at 72 px
  socketPayloadMaxBytes: 64 * 1024, // beyond it an event is refused
  socketTransportMaxBytes: 512 * 1024, // beyond it the connection is closed, before anything is parsed
  socketBacklogMaxBytes: 4_000_000, // unsent bytes of a connection: ten whole queues
  pongBacklogMaxBytes: 64 * 1024, // with more unsent bytes, pings of the WebSocket protocol are not answered
  inputMaxDepth: 32,
  packetMaxValues: 5_000, // a whole order of a queue has three an entry; beyond it the connection is closed, before it is parsed
  httpBodyMaxValues: 1_000, // refused before it is parsed
  unsignedPacketsMax: 20, // of a connection before it has signed in: a page sends two
  socketHandshakeMs: 10_000,
  outsideCheckMs: 5_000, // how soon what another program deleted takes effect
  refusalBlockMs: 30_000, // how long a user who was cut off cannot connect
  socketsPerUser: 100, // concurrent, per process
  socketsPerAddress: 2_000, // signed in, concurrent, per process, unless SOCKETS_PER_ADDRESS is set
  roomsPageMax: 100,
  roomsListCacheMs: 1_000,
  sessionsPerUser: 50,
  roomsIdleMs: 2_592_000_000, // a room that nobody used for 30 days leaves the list
  roomsPerUser: 100,
  roomsPerConnection: 10, // the page is in one
  httpBodyMaxBytes: 256 * 1024,
  httpRequestMs: 30_000, // to receive a whole request
  httpStallMs: 60_000, // a connection that neither sends nor reads for so long is closed
  audioAnswersPerUser: 64, // under way at a time; a page has two

  // Spotify
  spotifySearchPageSize: 10, // the most that one request may ask for
  spotifySearchMax: 1_000, // no search goes beyond this offset
  spotifyPlaylistPageSize: 50,
  spotifyConsentPendingMs: 600_000, // from the consent page back to the callback
  spotifyConsentsPending: 5, // per user; the oldest is dropped
  spotifyTokenMarginMs: 60_000, // a token that expires sooner is refreshed

  // YouTube
  youtubeSearchesPerDay: 100, // of one key
  youtubeSearchShare: 25, // of the server's key, per user and day; more only while half of the day's are left
  youtubeFreshMs: dayMs, // for this long, stored answers are used instead of new requests
  youtubeDataMaxMs: 2_592_000_000, // 30 days: data is refreshed or deleted before
  youtubeSweepMs: 3_600_000,

  rates,
} as const
