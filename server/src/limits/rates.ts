import { dayMs } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'

/** Rate limits: `points` in each window of `perMs`. */

/** What realtime events and HTTP calls take from the limiters that they share; `createLimiters` makes one for each. */
export const callRates = {
  ...limits.rates,
  userProbes: { points: 600, perMs: 1_000 }, // of all sockets of a user: 30 tabs that connect at once
  command: { points: 20, perMs: 1_000 },
  positionReport: { points: limits.positionReportsPerSecond, perMs: 1_000 }, // unforced, of one member in one room
  vote: { points: 10, perMs: 20_000 }, // to skip a track, and as many taken back
  queue: { points: 20, perMs: 1_000 },
  wholeQueues: { points: 60, perMs: 10_000 }, // answers of 300 kB where 1,000 tracks are queued, each 16 ms of processor
  roomOrders: { points: 10_000, perMs: 10_000 }, // entries of the whole orders of one room's queue, which go to all members
  memberSync: { points: 6, perMs: 5_000 }, // figures of up to 200 listed members; a page that lists them takes one
  join: { points: 20, perMs: 10_000 }, // a change of rooms takes three
  door: { points: 1_500, perMs: 10_000 }, // of the visitors of one address: 300 that come at once, and look again
  profileChanges: { points: 20, perMs: 600_000 }, // of a user's name and picture: the members of their rooms are told
  admin: { points: 60, perMs: 10_000 }, // calls of the administration
  youtubeConnect: { points: 10, perMs: 60_000 }, // each validates a key
  links: { points: 60, perMs: 60_000 }, // pasted links and parts of playlists
  linksDaily: { points: 1_000, perMs: dayMs }, // each costs up to 3 of the 10,000 units of a YouTube key
  library: { points: 300, perMs: 10_000 }, // pages of the library; a search takes three: a page searches twice with each letter
  providerSearch: { points: 30, perMs: 10_000 }, // searches of YouTube and Spotify, stored answers included
} as const

/** Those of parts that create their own limiters, per user, address, connection or room. */
export const otherRates = {
  roomChanges: { points: 60, perMs: 1_000 }, // changes of one room by its members, and as many messages: 60 people who all act at once
  guestChanges: { points: 30, perMs: 1_000 }, // of these, by the guests of one address
  guests: { points: 60, perMs: 600_000 }, // new guests of one address: a party on one line
  guestsDaily: { points: 300, perMs: dayMs }, // each is a row that is kept for up to 30 days
  refusals: { points: 500, perMs: 10_000 }, // refused events of a user; beyond them the connection is cut off
  inboundBytes: { points: 10_000_000, perMs: 10_000 }, // of a user's packets of 4 kB and more; beyond them it is cut off
  packets: { points: 1_000, perMs: 1_000 }, // of one connection, valid or not
  pings: { points: 10, perMs: 1_000 }, // of the WebSocket protocol, on one connection: browsers send none
  unsignedPackets: { points: 5_000, perMs: 1_000 }, // of one address before its connections have signed in: a server signs in fewer
  packetValues: { points: 100_000, perMs: 1_000 }, // of JSON, in the packets of one connection: 30 whole orders of a queue
  connect: { points: 100, perMs: 10_000 }, // a reconnecting page needs ten
  roomPassword: { points: 5, perMs: 60_000 },
  signIn: { points: 10, perMs: 60_000 }, // attempts for one account from one address
  signInAddress: { points: 100, perMs: 60_000 }, // all attempts from one address, such as a household
  signInAccount: { points: 100, perMs: 3_600_000 }, // for one account, from any address
  roomPasswordPerRoom: { points: 600, perMs: 60_000 }, // for one room, from any address
  roomEdits: { points: 30, perMs: 60_000 }, // settings, owner and deletion of a user's rooms
  adminCode: { points: 5, perMs: 600_000 }, // guesses of the code, per user and per address
  invites: { points: 30, perMs: 600_000 }, // invites to the server that do not exist, per address
  http: { points: 300, perMs: 10_000 }, // calls of one session
  pages: { points: 1_000, perMs: 10_000 }, // pages and their files, of one session and process: 20 rooms that load at once
  media: { points: 1_000, perMs: 10_000 }, // audio and covers, of one session and process
  spotifyConnect: { points: 10, perMs: 60_000 }, // consents begun and finished
  spotifyToken: { points: 20, perMs: 60_000 }, // the player of each tab asks once an hour
  spotifyReads: { points: 60, perMs: 30_000 }, // searches, playlists and links: Spotify's own window
  chatDaily: { points: 3_000, perMs: dayMs }, // of a user; each is a row of up to 4 kB
  roomPasswordAddress: { points: 60, perMs: 60_000 }, // for one room, by all users of an address
  httpAddress: { points: 5_000, perMs: 10_000 }, // calls of all sessions of one address, and as many without one: 300 people
  pagesAddress: { points: 18_000, perMs: 10_000 }, // files of pages, of one address: 300 rooms that load at once
  mediaAddress: { points: 10_000, perMs: 10_000 }, // audio and covers, of one address: 500 listeners with two ranges a second
} as const
