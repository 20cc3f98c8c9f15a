import type { Migration } from 'kysely/migration'

/** Adds the ids that clients give their messages, each once per room and user. Messages without one do not conflict. */
export const clientMessageIds: Migration = {
  async up(db) {
    await db.schema.alterTable('messages').addColumn('client_message_id', 'text').execute()
    await db.schema
      .createIndex('messages_client_message_id')
      .unique()
      .on('messages')
      .columns(['room_id', 'user_id', 'client_message_id'])
      .where('client_message_id', 'is not', null)
      .execute()
  },
}
