import type { TextSealer } from '../../../crypto/text-sealer.ts'
import type { Db } from '../../../db/database.ts'
import {
  type YoutubeConnectionRow,
  findYoutubeConnection,
  updateYoutubeConnection,
} from '../../../db/youtube.ts'

/** The key that a user's requests are sent with. */
export interface YoutubeKey {
  key: string
  isOwn: boolean
}

/** The server's key, and the users' own, which are encrypted at rest and precede it. */
export interface YoutubeKeys {
  readonly hasServerKey: boolean
  /** Resolves to the key for a user, or for a visitor (null); null where there is none. */
  find(userId: string | null): Promise<YoutubeKey | null>
  isConnected(userId: string): Promise<boolean>
  /** Stores a verified connection; an own key replaces an earlier one. Resolves to false without a profile. */
  connect(userId: string, verified: YoutubeKey): Promise<boolean>
  /** Forgets the user's own key. */
  disconnect(userId: string): Promise<void>
}

export function createYoutubeKeys(parts: {
  db: Db
  sealer: TextSealer
  serverKey: string | null
}): YoutubeKeys {
  const { db, sealer, serverKey } = parts

  /** Opens a user's key, and seals it again where a previous secret sealed it. */
  const open = async (userId: string, row: YoutubeConnectionRow): Promise<string | null> => {
    const opened = row.sealedKey === null ? null : sealer.open(row.sealedKey, userId)
    if (!opened) return null
    if (opened.isStale) {
      await updateYoutubeConnection(db, userId, { ...row, sealedKey: sealer.seal(opened.text, userId) })
    }
    return opened.text
  }

  return {
    hasServerKey: serverKey !== null,
    async find(userId) {
      const own = userId === null ? null : await open(userId, await findYoutubeConnection(db, userId))
      if (own !== null) return { key: own, isOwn: true }
      return serverKey === null ? null : { key: serverKey, isOwn: false }
    },
    isConnected: async (userId) => (await findYoutubeConnection(db, userId)).isConnected,
    connect(userId, { key, isOwn }) {
      const sealedKey = isOwn ? sealer.seal(key, userId) : null
      return updateYoutubeConnection(db, userId, { isConnected: true, sealedKey })
    },
    async disconnect(userId) {
      await updateYoutubeConnection(db, userId, { isConnected: false, sealedKey: null })
    },
  }
}
