import type { Migration } from 'kysely/migration'

/** Adds how many users an invite link of a room still admits; null: any number. */
export const roomInviteUses: Migration = {
  async up(db) {
    await db.schema.alterTable('room_invites').addColumn('uses_left', 'integer').execute()
  },
}
