import type { Activity } from '@earshot/core/protocol/activity'
import type { Author, Member, Message, Track } from '@earshot/core/protocol/entities'
import type { SkipVotes } from '@earshot/core/protocol/skip-votes'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { ReactionKind } from '@earshot/core/protocol/wire-constants'
import type { Actor, RoomCommand } from '@earshot/core/room/room-state'
import type { Logger } from 'pino'
import type { StoredOutcome } from './rooms/store/room-store.ts'

export interface UnplayableReport {
  roomId: string
  userId: string
  unplayable: readonly { trackId: string; reason: UnplayableReason }[]
}

/** Why a room moved on from a track. */
type SkipReason = UnplayableReason | NonNullable<Track['restriction']>

/** Why a user left a room on all their connections: on their own, or because its owner removed them. */
export type RemovalReason = 'left' | 'kicked' | 'banned'

/** The events by which the parts of a server process notify each other, with their payloads. */
export interface BusEvents {
  /**
   * Commands ran on a room and were stored, also where they changed nothing. Awaited by the room runtime: the next
   * change of the room starts when all listeners are done, so that broadcasts keep the order of the changes.
   */
  roomCommitted: RoomCommit
  /** The current track or the queue of a room changed. Follows `roomCommitted`, and is awaited like it. */
  tracksChanged: RoomCommit
  /** A member joined who was not present before. `isBack`: the server restarted, or they return just as they leave. */
  memberJoined: { roomId: string; member: Member; isBack: boolean }
  /** Members are about to leave a room. Awaited by membership: their rows still exist. */
  membersLeaving: { roomId: string; userIds: string[] }
  /** Members left a room. */
  membersChanged: { roomId: string }
  /** The owner joined their room and was not present before. */
  ownerArrived: { roomId: string; ownerId: string }
  /** The controls of a room passed to a member because its owner is away, or back to the owner (null). */
  controlsChanged: { roomId: string; controllerId: string | null }
  /** Name, privacy, settings or owner of a room changed. */
  roomEdited: { roomId: string }
  /** A room was handed over for good. `roomEdited` follows. */
  ownerChanged: { roomId: string; ownerId: string }
  /** A room was deleted. `isRemote`: in another process. */
  roomClosed: { roomId: string; reason: string; isRemote: boolean }
  /**
   * A connection of a member ended, for good or for a moment: a cue may no longer need to wait for it. Awaited by
   * membership, so that closing the server waits for what follows from it.
   */
  memberDropped: { roomId: string }
  /** A room that waits for the disk of its track is to look for it. */
  diskLookDue: { roomId: string }
  /** A member of a room with this track found that its file is gone. */
  audioMissing: { trackId: string }
  /** A room moved on because tracks are gone or unplayable: its current one, with this title, and `count` - 1 after it. */
  trackSkipped: { roomId: string; title: string; count: number; reason?: SkipReason }
  /** A member's player cannot play tracks of the room. `isRemote`: it was reported to another process. */
  tracksUnplayable: UnplayableReport & { isRemote: boolean }
  messageSent: { roomId: string; message: Message }
  /** An activity of a room, as one line for its members. */
  activityHappened: { roomId: string; activity: Activity }
  messageDeleted: { roomId: string; messageId: string }
  /** All messages of a user up to this one were deleted from a room. */
  messagesDeleted: { roomId: string; userId: string; upToId: string }
  /** The messages of a user in a room are another's, or, of a deleted account, nobody's. */
  authorChanged: { roomId: string; userId: string; author: Author }
  /** Members reacted. To be shown at the server time `at`, in ms; each kind once. */
  reactionsCounted: { roomId: string; at: number; items: { kind: ReactionKind; count: number }[] }
  /** The votes to skip the current track of a room, or its listeners, changed. */
  skipVotesCounted: SkipVotes & { roomId: string }
  /**
   * A user left a room on all their connections. `isRemote`: it happened in another process. `isAgain`: they were no member
   * any more; a process that did not hear of it may still serve them.
   */
  userRemoved: {
    roomId: string
    userId: string
    reason: RemovalReason
    isRemote: boolean
    isAgain?: boolean
  }
  /** A guest signed in to an account, or created one. Awaited by sign-in. */
  guestSignedIn: { guestId: string; userId: string }
  /**
   * An account was deleted. It had this name; null: a guest's, whose new account is there in their place. Awaited: the user
   * leaves their rooms next.
   */
  accountDeleted: { userId: string; username: string | null }
  /** A user changed their name or picture. `isRemote`: at another process. */
  profileChanged: { userId: string; isRemote: boolean }
  /** An administrator changed what a user may do. */
  rightsChanged: { userId: string }
  /**
   * Broadcasts since a time may be lost, because a process died or a connection to Redis broke: those to the members of this
   * process, to those of other processes, or to all.
   */
  broadcastsMissed: { sinceMs: number; by: 'here' | 'elsewhere' | 'all' }
  /** A session was signed out or expired. `isRemote`: it happened in another process. */
  sessionEnded: { sessionId: string; isRemote: boolean }
}

export interface RoomCommit {
  roomId: string
  /** In the order in which they ran. */
  commands: RoomCommand[]
  actor: Actor
  /** The connection that waits for the acknowledgement of the commands; null: none does. */
  socketId: string | null
  outcome: StoredOutcome
}

type Listener<Event> = (event: Event) => Promise<void> | void

/** A typed event bus. Listeners do not know who emits, and emitters do not know who listens. */
export interface EventBus {
  on<Name extends keyof BusEvents>(name: Name, listener: Listener<BusEvents[Name]>): void
  /**
   * Calls all listeners at once, in the order of their subscription. Resolves when they are done and never rejects:
   * a failed listener is logged and affects neither the emitter nor the other listeners.
   */
  emit<Name extends keyof BusEvents>(name: Name, event: BusEvents[Name]): Promise<void>
}

export function createEventBus(logger: Logger): EventBus {
  const listeners = new Map<string, Listener<never>[]>()

  const call = async (name: string, listener: Listener<never>, event: unknown): Promise<void> => {
    try {
      await listener(event as never)
    } catch (error) {
      logger.error({ err: error, event: name }, 'Event listener failed; the emitter continues')
    }
  }

  return {
    on: (name, listener) => void listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    async emit(name, event) {
      await Promise.all((listeners.get(name) ?? []).map((listener) => call(name, listener, event)))
    },
  }
}
