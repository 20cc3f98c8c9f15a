import { limits } from '@earshot/core/limits'
import { AppError } from '@earshot/core/protocol/errors'
import pLimit from 'p-limit'
import { openWorker } from '../async/worker-calls.ts'
import type { Db } from '../db/database.ts'
import { replaceProfilePicture } from '../db/profile-pictures.ts'
import type { EventBus } from '../events.ts'
import type { ShrinkCalls } from '../images/shrink-calls.ts'

/** The pictures that users set of themselves. */
export interface ProfilePictures {
  /**
   * Stores a user's picture, made smaller and without what its file tells besides, in place of the one before. Emits
   * `profileChanged`. @throws AppError invalid_input, unavailable
   */
  set(userId: string, image: Uint8Array): Promise<void>
  /** Idempotent. Emits `profileChanged`. */
  remove(userId: string): Promise<void>
  close(): Promise<void>
}

const workerOptions = { timeoutMs: 10_000, idleMs: 5_000, maxHeapMb: 128 }
/** Each holds an image as it was sent. */
const waitingMax = 20

export const unreadablePictureText = 'A picture is a JPEG, PNG or WebP image of at most 4 megapixels'

export function createProfilePictures({ db, events }: { db: Db; events: EventBus }): ProfilePictures {
  const worker = openWorker<ShrinkCalls>(
    new URL('../images/shrink-worker.ts', import.meta.url),
    workerOptions,
  )
  const inTurn = pLimit(1)

  const store = async (userId: string, image: Uint8Array | null): Promise<void> => {
    await replaceProfilePicture(db, userId, image)
    await events.emit('profileChanged', { userId, isRemote: false })
  }
  return {
    async set(userId, image) {
      if (inTurn.pendingCount >= waitingMax) throw new AppError('unavailable')
      const sidePx = limits.profilePictureSidePx
      const shrunk = await inTurn(() => worker.call('shrink', { image, sidePx }))
      if (!shrunk) throw new AppError('invalid_input', unreadablePictureText)
      await store(userId, shrunk)
    },
    remove: (userId) => store(userId, null),
    close: () => worker.close(),
  }
}
