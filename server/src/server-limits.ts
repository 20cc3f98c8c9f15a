import { dayMs } from '@earshot/core/clock'

/** Business constants that only the server needs. Those of core are in the page's scripts, whose weight is bounded. */
export const serverLimits = {
  peoplePerAddress: 60, // the limits of an address follow it, unless PEOPLE_PER_ADDRESS is set
  messagesMax: 10_000, // newest ones kept per room
  rates: {
    chatDaily: { points: 3_000, perMs: dayMs }, // of a user; each is a row of up to 4 kB
    roomPasswordAddress: { points: 60, perMs: 60_000 }, // for one room, by all users of an address
    httpAddress: { points: 5_000, perMs: 10_000 }, // calls of all sessions of one address, and as many without one: 300 people
    pagesAddress: { points: 18_000, perMs: 10_000 }, // files of pages, of one address: 300 rooms that load at once
    mediaAddress: { points: 10_000, perMs: 10_000 }, // audio and covers, of one address: 500 listeners with two ranges a second
  },
} as const
