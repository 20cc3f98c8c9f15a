import { sql } from 'kysely'
import { profilePicturePath } from '@earshot/core/protocol/media-paths'
import { newId } from '../ids.ts'
import type { Db } from './database.ts'
import { lockProfile } from './profiles.ts'

/**
 * Stores a user's picture in place of the one before, or removes it (null), and writes its address where the profile and
 * the sign-in library have it. There must be a profile.
 */
export async function replaceProfilePicture(db: Db, userId: string, image: Uint8Array | null): Promise<void> {
  const id = newId()
  const url = image && profilePicturePath(id)
  await db.transaction().execute(async (change) => {
    await lockProfile(change, userId)
    await change.deleteFrom('profile_pictures').where('user_id', '=', userId).execute()
    if (image) {
      const row = { id, user_id: userId, image: Buffer.from(image).toString('base64') }
      await change.insertInto('profile_pictures').values(row).execute()
    }
    await change.updateTable('profiles').set({ avatar_url: url }).where('id', '=', userId).execute()
    await sql`update "user" set "image" = ${url} where "id" = ${userId}`.execute(change)
  })
}

/** Returns a picture, a WebP image; null where there is none of this id. */
export async function findProfilePicture(db: Db, id: string): Promise<Buffer | null> {
  const row = await db.selectFrom('profile_pictures').select('image').where('id', '=', id).executeTakeFirst()
  return row ? Buffer.from(row.image, 'base64') : null
}
