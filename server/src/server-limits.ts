import { dayMs } from '@earshot/core/clock'

/** Business constants that only the server needs: those of core are in the page's scripts, whose weight is bounded. */
export const serverLimits = {
  peoplePerAddress: 60, // the limits of an address follow it, unless PEOPLE_PER_ADDRESS is set
  messagesMax: 10_000, // newest ones kept per room

  // Playback
  /** A duration outside of these that is reported of a video holds for that room alone. */
  sharedDurationMinMs: 10_000,
  sharedDurationMaxMs: 43_200_000, // the longest video that may be uploaded

  // Membership and connection (section 4)
  initialStateBroadcastMs: 1_000, // 4.7

  // The room scheduler
  roomSweepMs: 2_500,
  roomSweepHorizonMs: 5_000,
  roomSweepBatchSize: 500,

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
  syncReportKeepMs: 15_000,
  syncChangeMs: 1, // a figure that changed by less, or by less than syncChangeShare, is not sent again
  syncChangeShare: 0.25,
  activityBatchMs: 2_000, // activity of a room is collected for this long and sent as few lines
  activityPerMember: { lines: 6, perMs: 60_000 }, // beyond it, a member's lines wait and are merged
  activityPerRoom: { lines: 20, perMs: 60_000 },
  activityWaitingMax: 1_000, // lines of a room that wait before they are merged; more are dropped
  activityNamed: 10, // users whom a line of several who joined names
  orphanSweepMs: 60_000,
  orphanGraceMs: 60_000, // grace period for members to reconnect after a server start

  // Reactions
  reactionBatchMs: 100, // a room gets at most one broadcast of reactions in this time
  reactionLeadMinMs: 200, // until a reaction appears on all pages
  reactionLeadMaxMs: 1_000,

  // Votes to skip a track
  skipVotesBatchMs: 500, // a room gets at most one broadcast of votes in this time, of each process

  // Music library
  libraryPageSize: 60, // albums or artists
  libraryTracksPageSize: 200, // of an album, or of an artist without one
  libraryRecentAlbums: 24,
  libraryMatchesMax: 12, // albums, and as many artists, found by a search
  libraryLettersMax: 100, // at which a list may start
  waveformPeaks: 200, // values of a track's waveform, from 0 to 255
  waveformMaxMs: 10_800_000, // a longer track has no waveform

  // Input
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
  signUpsPerHour: 20, // from one address, unless SIGN_UPS_PER_HOUR is set
  serverInvitesMax: 200, // valid at a time
  adminCodeMs: dayMs, // validity of the code that makes the first administrator
  adminCodeAttempts: 100, // wrong ones by everybody together end the code
  adminPageSize: 50,
  libraryProblemsShown: 200,
  searchMatchesMax: 200, // ranked and returned, over all pages
  searchWordsMax: 8, // different words that a search of the library requires
  librarySearchPoints: 3, // of the rate `library`
  queueUpdateMs: 500, // between whole queues sent to clients that know no differences
  historyMaxLength: 100, // played tracks kept per room
  historyPageSize: 50,
  orderEntriesPerPoint: 250, // of the rate `queue`, for a whole order of a queue
  importTracksPerPoint: 5, // of the rate `queue`
  socketPayloadMaxBytes: 64 * 1024, // beyond it an event is refused
  socketTransportMaxBytes: 512 * 1024, // beyond it the connection is closed, before anything is parsed
  socketBacklogMaxBytes: 4_000_000, // unsent bytes of a connection: ten whole queues
  pongBacklogMaxBytes: 64 * 1024, // with more unsent bytes, pings of the WebSocket protocol are not answered
  packetMaxValues: 5_000, // a whole order of a queue has three an entry; beyond it the connection is closed, before it is parsed
  httpBodyMaxValues: 1_000, // refused before it is parsed
  unsignedPacketsMax: 20, // of a connection before it has signed in: a page sends two
  socketHandshakeMs: 10_000,
  outsideCheckMs: 5_000, // how soon what another program deleted takes effect
  refusalBlockMs: 30_000, // how long a user who was cut off cannot connect
  socketsPerUser: 100, // concurrent, per process
  socketsPerAddress: 2_000, // signed in, concurrent, per process, unless SOCKETS_PER_ADDRESS is set
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
} as const
