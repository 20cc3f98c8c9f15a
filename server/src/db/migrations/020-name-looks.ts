import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { nameKeysOf } from '../name-keys.ts'

/** Computes the looks of user names again: Arne and Ame are two names. Looks that differed before differ after. */
export const nameLooks: Migration = {
  async up(db: Kysely<{ profiles: { id: string; username: string; name_key: string; name_look: string } }>) {
    const rows = await db.selectFrom('profiles').select(['id', 'username', 'name_key', 'name_look']).execute()
    for (const { id, username, name_key: key, name_look: before } of rows) {
      const { name_key, name_look } = nameKeysOf(username)
      // A guest who became an account has left a row with keys of its own.
      if (key !== name_key || before === name_look) continue
      await db.updateTable('profiles').set({ name_look }).where('id', '=', id).execute()
    }
  },
}
