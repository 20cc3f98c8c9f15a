import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { PlayerKind } from '@earshot/core/protocol/sync-report'

/** Remembers which kinds of player cannot play a track, and the reason of the last one. */
interface Rejections {
  has(trackId: string, kind: PlayerKind): boolean
  reason(trackId: string): UnplayableReason | null
  add(trackId: string, kind: PlayerKind, reason: UnplayableReason): void
  /**
   * It is a track's turn, which may be said again and again. One that is unplayable is forgotten, in the background, if its
   * file was replaced since it was rejected.
   */
  noteTurn(trackId: string, isUnplayable: boolean): void
}

/** Reads a tag that differs between the files of a track; null where there is none. Rejects where it cannot be read. */
export type ReadFileTag = (trackId: string, kind: PlayerKind) => Promise<string | null>

interface Rejection {
  kinds: readonly PlayerKind[]
  reason: UnplayableReason
  /** Of the file that was rejected; null if unknown. */
  fileTag: Promise<string | null>
}

/** Bounds the memory of a stay in a room of many tracks. */
const rejectionsKept = 500

/** `onForgotten` is called when a track is forgotten. */
export function createRejections(readFileTag: ReadFileTag, onForgotten: () => void): Rejections {
  const tracks = new Map<string, Rejection>()
  let turnId: string | null = null
  const readTag = (trackId: string, kind: PlayerKind) => readFileTag(trackId, kind).catch(() => null)

  const forgetReplaced = async (trackId: string, rejection: Rejection, kind: PlayerKind) => {
    const [before, now] = await Promise.all([rejection.fileTag, readTag(trackId, kind)])
    if (now === null || now === before || tracks.get(trackId) !== rejection) return
    tracks.delete(trackId)
    onForgotten()
  }

  return {
    has: (trackId, kind) => tracks.get(trackId)?.kinds.includes(kind) ?? false,
    reason: (trackId) => tracks.get(trackId)?.reason ?? null,
    add(trackId, kind, reason) {
      const before = tracks.get(trackId)
      const fileTag = before?.fileTag ?? readTag(trackId, kind)
      tracks.set(trackId, { kinds: [...(before?.kinds ?? []), kind], reason, fileTag })
      const oldest = tracks.keys().next()
      if (tracks.size > rejectionsKept && !oldest.done) tracks.delete(oldest.value)
    },
    noteTurn(trackId, isUnplayable) {
      const isNew = trackId !== turnId
      turnId = trackId
      const rejection = tracks.get(trackId)
      const kind = rejection?.kinds[0]
      if (isNew && isUnplayable && rejection && kind !== undefined)
        void forgetReplaced(trackId, rejection, kind)
    },
  }
}
