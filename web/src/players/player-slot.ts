import { minuteMs } from '@earshot/core/clock'
import type { Source, Track } from '@earshot/core/protocol/entities'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { PlayerKind } from '@earshot/core/protocol/sync-report'
import type { Due, Player, PlayerEvent } from './player.ts'
import { createPlayerAttempts } from './player-attempts.ts'
import { createRejections, type ReadFileTag } from './rejections.ts'

/** The parts of a track on which the choice of a player depends. */
export type TrackToPlay = Pick<Track, 'id' | 'source'>

/** Holds the one player that may be audible: the best one of this browser for the room's current track. */
export interface PlayerSlot {
  /**
   * Returns the player for a track; null while its code loads, and for an unplayable track. Disposes of a player of
   * another kind.
   */
  require(track: TrackToPlay): Player | null
  /** Returns the current player of any kind. */
  current(): Player | null
  /**
   * Records why the current kind of player cannot play a track, so that the next kind is used for it. Reasons of the
   * account are not kept with the track, which plays once the account changes.
   */
  reject(trackId: string, reason: UnplayableReason): void
  /** Returns why no kind of player can play the track here; null if one can, as far as is known. */
  unplayableReason(track: TrackToPlay): UnplayableReason | null
  /**
   * Preloads the code of another player that the next track needs, or its start; null: not yet.
   * Returns whether it can follow without a gap.
   */
  prepare(track: Track, due: Due | null): boolean
  /** Sets the volume, 0..1 on the listener's slider. */
  setVolume(volume: number): void
  /** Disposes of the players; `require` creates another one. */
  release(): void
}

/** The players of this browser. */
export interface PlayerFactory {
  /** Lists the kinds of player for a source, best first. */
  kindsFor(source: Source): readonly PlayerKind[]
  /** Loads what a player needs before it can be created. */
  preload(kind: PlayerKind): Promise<unknown>
  /** Whether a player of this kind connects ahead of its track, which takes long and makes no sound. */
  connectsAhead(kind: PlayerKind): boolean
  /** For tracks whose file may be replaced by another one. */
  readFileTag: ReadFileTag
  /** Loads the code of a player and creates it. */
  create(kind: PlayerKind): Promise<Player>
}

/** The reasons that hold for every track of Spotify, until the account, the browser or the server's app changes. */
export const accountReasons: ReadonlySet<UnplayableReason> = new Set<UnplayableReason>([
  'not_connected',
  'no_premium',
  'no_drm',
  'app_paused',
])

/** Pauses between the attempts to create a player. */
const createAgain = { firstMs: 5_000, longestMs: 30_000 }
/** The same for the next track's, which is not needed yet. */
const loadAheadAgain = { firstMs: minuteMs, longestMs: 15 * minuteMs }

export interface PlayerSlotParts {
  factory: PlayerFactory
  /** Returns why this listener cannot play a track with any player, for example without an account; null if unknown. */
  listenerReason: (track: TrackToPlay) => UnplayableReason | null
  initialVolume: number
  /** Called when there is a new player. */
  onChange: () => void
  onEvent: (event: PlayerEvent) => void
  /** The player's code cannot be loaded, which is tried again; or it is there, or no longer needed. */
  onMissingChange: (isMissing: boolean) => void
  /** A track that no player could play may be playable now. */
  onPlayableAgain: () => void
}

export function createPlayerSlot(parts: PlayerSlotParts): PlayerSlot {
  const { factory, listenerReason } = parts
  let player: Player | null = null
  let volume = parts.initialVolume
  const rejections = createRejections(factory.readFileTag, parts.onPlayableAgain)
  const standby = createStandby(factory)

  const kindFor = (track: TrackToPlay): PlayerKind | null => {
    if (listenerReason(track) !== null) return null
    return factory.kindsFor(track.source).find((kind) => !rejections.has(track.id, kind)) ?? null
  }

  const release = () => {
    player?.dispose()
    player = null
  }

  const createPlayer = async (kind: PlayerKind) => {
    const create = () => factory.create(kind)
    const created = await (standby.take(kind)?.catch(create) ?? create())
    if (attempts.kind() !== kind || player) return created.dispose()
    player = created
    player.setVolume(toGain(volume))
    // The next `require` creates another.
    subscribe(created, parts.onEvent, () => switchKind(null))
    parts.onChange()
  }

  const attempts = createPlayerAttempts(createPlayer, createAgain, parts.onMissingChange)

  const switchKind = (kind: PlayerKind | null) => {
    release()
    attempts.setKind(kind)
  }

  return {
    require(track) {
      const kind = kindFor(track)
      rejections.noteTurn(track.id, kind === null)
      if (attempts.kind() !== kind) switchKind(kind)
      return player
    },
    current: () => player,
    reject(trackId, reason) {
      const kind = attempts.kind()
      if (kind !== null && !accountReasons.has(reason)) rejections.add(trackId, kind, reason)
    },
    unplayableReason: (track) =>
      kindFor(track) === null ? (listenerReason(track) ?? rejections.reason(track.id) ?? 'format') : null,
    prepare(track, due) {
      const kind = kindFor(track)
      const isOther = kind !== attempts.kind()
      standby.keep(isOther ? kind : null)
      return !isOther && due !== null && (player?.prepare?.(track, due) ?? false)
    },
    setVolume(next) {
      volume = next
      player?.setVolume(toGain(volume))
    },
    release() {
      standby.keep(null)
      switchKind(null)
    },
  }
}

/** `onDead` is called once the player's output is dead, after the call that emitted it. */
function subscribe(player: Player, onEvent: (event: PlayerEvent) => void, onDead: () => void): void {
  player.subscribe((event) => {
    if (event.type === 'output_dead') queueMicrotask(onDead)
    onEvent(event)
  })
}

/** Loads ahead what the next track's player needs, and holds it connected if it connects ahead. */
function createStandby(factory: PlayerFactory) {
  let held: { kind: PlayerKind; player: Promise<Player> } | null = null
  const connect = async (kind: PlayerKind) => {
    const player = factory.create(kind)
    held = { kind, player }
    player.catch(() => {
      if (held?.player === player) held = null
    })
    void (await player).connect?.()
  }
  const drop = () => {
    // A player that could not be created is created again when it is needed.
    held?.player.then((player) => player.dispose()).catch(() => undefined)
    held = null
  }
  const attempts = createPlayerAttempts(
    (kind) => Promise.all([factory.preload(kind), factory.connectsAhead(kind) && connect(kind)]),
    loadAheadAgain,
  )
  return {
    /** Prepares for a player of this kind, or for none. */
    keep(kind: PlayerKind | null) {
      if (attempts.kind() === kind) return
      drop()
      attempts.setKind(kind)
    },
    /** Hands over the player of this kind; null without one. Drops one of another kind. */
    take(kind: PlayerKind): Promise<Player> | null {
      const player = held?.kind === kind ? held.player : null
      if (player) held = null
      drop()
      attempts.setKind(null)
      return player
    },
  }
}

/** The square makes loudness follow the slider evenly. */
const toGain = (volume: number): number => volume ** 2
