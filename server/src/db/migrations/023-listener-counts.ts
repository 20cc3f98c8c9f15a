import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Keeps the number of a room's listeners with the room, so that the list of rooms is read by an index. Triggers keep
 * it: members come and go in many ways.
 */
export const listenerCounts: Migration = {
  async up(db) {
    await sql`alter table rooms add column listeners integer not null default 0`.execute(db)
    await sql`update rooms set listeners = (select count(*) from user_rooms where room_id = rooms.id)`.execute(
      db,
    )
    // With the names: a search reads no other rows than those that it finds.
    await sql`create index rooms_listed_idx on rooms (listeners, last_updated, id, search_text)`.execute(db)
    await sql`create index rooms_playing_idx on rooms (is_playing, listeners, last_updated, id)`.execute(db)
    if (db.getExecutor().adapter instanceof PostgresAdapter) await countOnPostgres(db)
    else await countOnSqlite(db)
  },
}

async function countOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create trigger user_rooms_added after insert on user_rooms begin
    update rooms set listeners = listeners + 1 where id = new.room_id; end`.execute(db)
  await sql`create trigger user_rooms_removed after delete on user_rooms begin
    update rooms set listeners = listeners - 1 where id = old.room_id; end`.execute(db)
}

/**
 * Once per statement, which may add hundreds of members. Rooms are locked in one order, so that no two wait for each
 * other.
 */
async function countOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function earshot_count_listeners() returns trigger language plpgsql as $$
    declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      perform 1 from rooms where id in (select room_id from changed) order by id for no key update;
      update rooms set listeners = listeners + sign * counted.number
        from (select room_id, count(*) as number from changed group by room_id) counted
        where rooms.id = counted.room_id;
      return null;
    end $$`.execute(db)
  await sql`create trigger user_rooms_added after insert on user_rooms
    referencing new table as changed for each statement execute function earshot_count_listeners()`.execute(
    db,
  )
  await sql`create trigger user_rooms_removed after delete on user_rooms
    referencing old table as changed for each statement execute function earshot_count_listeners()`.execute(
    db,
  )
}
