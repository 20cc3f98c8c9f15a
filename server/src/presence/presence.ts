import type { Member } from '@earshot/core/protocol/entities'

/** The holder of the lease of a member who calls over HTTP. */
export const httpHolderId = 'http'

/**
 * Presence of users in rooms. A user is present while they hold at least one lease there: each of their sockets has
 * one, and so has a member who only calls over HTTP. A lease expires unless it is renewed, so those of a process that
 * died vanish on their own. Several leases of one user count once.
 *
 * Times are ms of the server's clock. All operations but `recordStart` are idempotent. They reject where the store cannot
 * be reached.
 */
export interface Presence extends CueAnswers, StoredVotes {
  /**
   * Acquires or renews leases until `ttlMs` from now. Resolves to those whose user was not present before. A short
   * lease with `isConnected: false` is the grace period of a socket that disconnected.
   */
  acquire(leases: Lease[], ttlMs: number): Promise<Lease[]>
  /** Renews an existing lease. Resolves to false, without effect, where it does not exist. */
  renew(lease: LeaseKey, ttlMs: number): Promise<boolean>
  /** Releases leases at once. Resolves to the users who are no longer present. */
  release(leases: LeaseKey[]): Promise<Departure[]>
  /**
   * Releases leases of users who leave, and with the last connected one of a user those that are not connected, such as the
   * grace period of a page that was reloaded. Resolves to the users who are no longer present.
   */
  leave(leases: LeaseKey[]): Promise<Departure[]>
  /** Releases all leases of a user in a room. Resolves to whether they were present. */
  releaseUser(roomId: string, userId: string): Promise<boolean>
  /** Releases expired leases. Resolves to the users who are no longer present, each once. */
  expire(): Promise<Departure[]>
  /** Lists members in order of arrival, from `offset`. */
  listMembers(roomId: string, page: { offset: number; limit: number }): Promise<Member[]>
  countMembers(roomId: string): Promise<number>
  /** Resolves to one member, or null. */
  findMember(roomId: string, userId: string): Promise<Member | null>
  /** Resolves to the present users among `userIds`. */
  findPresent(roomId: string, userIds: string[]): Promise<Set<string>>
}

/**
 * Tracks which users answer the cues of a room. A connected user is silent after `silentAfterCues` started cues without a
 * report from any of their connections. A report, even a late one, or a new connection ends the silence.
 */
export interface CueAnswers {
  /** Records that a user is ready to start the cue with this sequence number. Ignored without a connection. */
  markReady(roomId: string, sequenceNumber: number, userId: string): Promise<void>
  countReady(roomId: string, sequenceNumber: number): Promise<ReadyCount>
  /** Records that a cue started. Takes the same time whatever the number of members. */
  recordStart(roomId: string): Promise<void>
  countSilent(roomId: string): Promise<number>
  /** Resolves to the users among `userIds` who are connected and not silent. */
  findAnswering(roomId: string, userIds: string[]): Promise<Set<string>>
  /** Resolves to the silent users among `userIds`: none of those without a connection, who may be back soon. */
  findSilent(roomId: string, userIds: string[]): Promise<Set<string>>
}

/** Silent after so many cues without a report: one may be lost, or come too late. */
export const silentAfterCues = 2

/** The votes to skip a room's track. A user has one, for one turn of a track; it ends with their last connection. */
export interface StoredVotes {
  /**
   * Stores the vote of a user, or takes it back (null). Ignored for one who is silent or not connected. Resolves to whether
   * the user has a vote. Takes the same time whatever the number of members.
   */
  setVote(roomId: string, userId: string, turn: number | null): Promise<boolean>
  hasVoted(roomId: string, userId: string, turn: number): Promise<boolean>
  countVotes(roomId: string, turn: number): Promise<VoteCount>
}

interface VoteCount {
  votes: number
  answering: number
}

export interface ReadyCount {
  ready: number
  /** Connected and not silent: nobody should wait for a member in their grace period. */
  answering: number
}

export interface LeaseKey {
  roomId: string
  userId: string
  /** A socket id, or `http`. Unique per user and room, without spaces. */
  holderId: string
}

export interface Lease extends LeaseKey {
  member: Member
  /** Whether the holder is a connected socket: false for HTTP calls and during the grace period. */
  isConnected: boolean
}

export interface Departure {
  roomId: string
  userId: string
}
