import { limits } from '@earshot/core/limits'
import type { Source, Track } from '@earshot/core/protocol/entities'
import type { ReactionKind } from '@earshot/core/protocol/wire-constants'
import { positionAt } from '@earshot/core/sync/timeline'
import { callApiRetrying } from '../api/call-api.ts'
import type { ServerClock } from '../realtime/server-clock.ts'
import type { ServerCalls } from '../realtime/server-connection.ts'
import { applyOlderMessages, markRead } from './chat/chat-history.ts'
import type { Outbox } from './chat/outbox.ts'
import { writeMuted, writeNudgeMs, writeVolume } from './device/device-settings.ts'
import type { RoomMembership } from './membership.ts'
import type { PlayerLoop } from './playback/player-loop.ts'
import { type QueueActions, createQueueActions } from './queue-actions.ts'
import { randomId } from './random-id.ts'
import type { PlaybackCommand, PendingPlayback } from './state/optimistic.ts'
import { whilePending } from './state/pending-commands.ts'
import { update, type RoomStore, viewRoom } from './state/room-state.ts'
import { applySkipVotes } from './state/skip-votes.ts'
import { applyAnswer, applyMemberSync, applySyncAnswer } from './state/server-updates.ts'
import { wallNow } from '../wall-clock.ts'

/** The parts of a running room that commands and reports work on. */
export interface RoomParts {
  readonly roomId: string
  readonly store: RoomStore
  readonly connection: ServerCalls
  readonly clock: Pick<ServerClock, 'serverNow' | 'serverTimeOf' | 'estimate'>
  /** When this page last sent a command or a position to the room, on the client's clock; null if never. */
  lastSentAtMs: number | null
}

/** The actions of the chat, and reactions. */
interface ChatActions {
  /** Sends a message, at once or when the connection is back. Returns false if too many wait already. */
  sendMessage: (content: string) => boolean
  /** Sends a refused message again. */
  retryMessage: (id: string) => void
  /** Drops a message that the server has not acknowledged. */
  discardMessage: (id: string) => void
  /** Resolves when the page before the oldest known message is there. Rejects with an AppError. */
  loadOlderMessages: () => Promise<void>
  /** Marks all messages as read. */
  markChatRead: () => void
  /** Shows a reaction on the pages of all members, this one included. Rejects with an AppError. */
  react: (kind: ReactionKind) => Promise<void>
}

/** Everything the page can do in its room. Commands resolve when the server has answered and reject with an AppError. */
export interface RoomActions extends QueueActions, ChatActions {
  play: () => Promise<void>
  pause: () => Promise<void>
  seek: (positionMs: number) => Promise<void>
  next: () => Promise<void>
  previous: () => Promise<void>
  /** Votes to skip the current track, or takes the vote back. */
  voteToSkip: (isFor: boolean) => Promise<void>
  /** Aligns this listener with the room at once (2.23, 2.28). */
  sync: () => Promise<void>
  /** Reads how well listed members are in sync; of the first ones it is known without. */
  readMemberSync: (memberIds: readonly string[]) => Promise<void>
  submitPassword: (password: string) => void
  retryConnection: () => void
  setVolume: (volume: number) => void
  setMuted: (isMuted: boolean) => void
  /** Delays this device's sound by so many ms for a source; a negative value advances it. */
  setNudge: (source: Source, nudgeMs: number) => void
  /** Stops the sound of this page only; the room plays on. */
  pauseHere: () => void
  /** Sounds again, at the room's position, and silences the user's other tabs. Must be called from a click. */
  playHere: () => void
  /** Plays the same song from another source for this listener alone; null plays the room's track. From a click. */
  setSubstitute: (trackId: string, substitute: Track | null) => void
  /** Lets the browser play sound. Must be called from a click. */
  unlockSound: () => Promise<void>
  /** Returns the room's position in ms; for the progress bar, at most once a frame. */
  positionNow: () => number
}

interface ActionTargets extends RoomParts {
  readonly connection: ServerCalls & { reconnect(): void }
  readonly membership: Pick<RoomMembership, 'submitPassword' | 'retry'>
  readonly player: Pick<PlayerLoop, 'align' | 'unlock'>
  readonly outbox: Outbox
}

export function createRoomActions(room: ActionTargets): RoomActions {
  const { store, connection, clock, membership, player } = room
  const sendUnlocked = async (command: PlaybackCommand): Promise<void> => {
    // The click that starts the music also allows the browser to play it.
    void player.unlock()
    await sendPlaybackCommand(room, command)
  }
  return {
    play: () => sendUnlocked({ command: 'play' }),
    pause: () => sendUnlocked({ command: 'pause' }),
    seek: (positionMs) => sendUnlocked({ command: 'seek', positionMs }),
    next: () => sendUnlocked({ command: 'next' }),
    previous: () => sendUnlocked({ command: 'previous' }),
    voteToSkip: (isFor) => voteToSkip(room, isFor),
    async sync() {
      player.align()
      await requestSync(room, { forceSync: true })
    },
    ...createQueueActions(room, () => void player.unlock()),
    ...createChatActions(room),
    readMemberSync: (memberIds) => readMemberSync(room, memberIds),
    submitPassword(password) {
      void player.unlock()
      membership.submitPassword(password)
    },
    retryConnection() {
      membership.retry()
      connection.reconnect()
    },
    setVolume(volume) {
      writeVolume(volume)
      store.setState({ volume })
    },
    setMuted(isMuted) {
      writeMuted(isMuted)
      store.setState({ isMuted })
    },
    setNudge(source, nudgeMs) {
      writeNudgeMs(source, nudgeMs)
      store.setState(({ nudgesMs }) => ({ nudgesMs: { ...nudgesMs, [source]: nudgeMs } }))
    },
    pauseHere: () => store.setState({ ownSound: 'paused' }),
    playHere() {
      void player.unlock()
      store.setState({ ownSound: 'on', isSpotifyElsewhere: false })
    },
    setSubstitute(trackId, substitute) {
      void player.unlock()
      store.setState(({ substitutes }) => {
        const { [trackId]: _before, ...others } = substitutes
        return { substitutes: substitute ? { ...others, [trackId]: substitute } : others }
      })
    },
    unlockSound: () => player.unlock(),
    positionNow: () => positionAt(viewRoom(store.getState()).timeline, clock.serverNow()),
  }
}

function createChatActions({ roomId, store, connection, outbox }: ActionTargets): ChatActions {
  return {
    sendMessage: (content) => outbox.add(content),
    retryMessage: (id) => outbox.retry(id),
    discardMessage: (id) => outbox.discard(id),
    async loadOlderMessages() {
      const { messages, hasOlderMessages } = store.getState()
      // Undefined where all known messages were deleted: then the latest page follows.
      const beforeId = messages[0]?.id
      if (!hasOlderMessages) return
      const page = await callApiRetrying('GET /api/rooms/:roomId/messages', {
        params: { roomId },
        query: { before: beforeId },
      })
      update(store, (state) => applyOlderMessages(state, { beforeId, ...page }))
    },
    markChatRead: () => update(store, markRead),
    async react(kind) {
      await connection.call('reaction', { roomId, kind })
    },
  }
}

/**
 * Sends a playback command. The page draws it at once and reverts it if the server refuses it or does not answer. Carries
 * an id and is repeated once without an acknowledgement (7.20b); the server applies it once. Rejects with an AppError.
 */
export async function sendPlaybackCommand(room: RoomParts, command: PlaybackCommand): Promise<void> {
  const { roomId, store, connection, clock } = room
  const pending: PendingPlayback = {
    ...command,
    id: randomId(),
    atServerMs: clock.serverNow(),
  }
  const payload = {
    roomId,
    command: command.command,
    position: command.command === 'seek' ? command.positionMs : undefined,
    // As it is drawn: it may end, or be skipped by somebody else, while the command is on its way.
    trackId:
      command.command === 'next' ? (viewRoom(store.getState()).timeline.trackId ?? undefined) : undefined,
    timestamp: pending.atServerMs,
    priority: 'high',
    forceSync: true,
    commandId: pending.id,
  }
  room.lastSentAtMs = wallNow()
  await whilePending(store, pending, async () => {
    const { state: playback } = await connection.call('direct_command', payload, {
      repeat: { afterMs: limits.repeatCommandMs, payload: { ...payload, isFollowUp: true } },
    })
    update(store, (state) => applyAnswer(state, pending, playback))
  })
}

/** Votes to skip the current track, or takes the vote back. Rejects with an AppError. */
export async function voteToSkip({ roomId, store, connection }: RoomParts, isFor: boolean): Promise<void> {
  const { sequenceNumber } = store.getState().confirmed.timeline
  const { votes } = await connection.call('skip_vote', { roomId, sequenceNumber, isFor })
  if (votes) update(store, (state) => applySkipVotes(state, votes))
}

/** Reads how well listed members are in sync, beyond those whose figures everybody gets. Rejects with an AppError. */
async function readMemberSync(
  { roomId, store, connection }: RoomParts,
  memberIds: readonly string[],
): Promise<void> {
  const asked = memberIds.slice(0, limits.membersPageSize)
  const { members } = await connection.call('member_sync', { roomId, memberIds: asked })
  update(store, (state) => applyMemberSync(state, asked, members))
}

/** Of this page, until it is left. */
const clientId = randomId()

export type SyncParts = Pick<RoomParts, 'roomId' | 'store' | 'connection' | 'clock'>

/**
 * Requests the room's snapshot and applies it (7.21); `brief`: of playback and queue only; `isQueueWhole`: with all of a long
 * queue. Rejects with an AppError.
 */
export async function requestSync(
  { roomId, store, connection, clock }: SyncParts,
  { initialJoin = false, forceSync = false, brief = false, isQueueWhole = false },
): Promise<void> {
  const knownVersion = store.getState().confirmed.queueVersion ?? undefined
  const payload = {
    roomId,
    timestamp: clock.serverNow(),
    initialJoin,
    forceSync,
    clientId,
    priority: 'normal',
    queueDeltas: true,
    longQueues: !isQueueWhole,
    queueVersion: isQueueWhole ? undefined : knownVersion,
    brief,
  }
  const snapshot = await connection.call('request_sync', payload, {
    repeat: { afterMs: limits.repeatUnansweredMs, alsoAs: ['sync_request', 'get_sync'] },
  })
  update(store, (state) => applySyncAnswer(state, snapshot))
}
