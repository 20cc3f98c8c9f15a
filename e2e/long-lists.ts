import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { App } from './app.ts'

const perInsert = 100

/** Stores copies of a room. */
export async function copyRoom(app: App, roomId: string, count: number): Promise<void> {
  const db = await app.database()
  const room = await db.selectFrom('rooms').selectAll().where('id', '=', roomId).executeTakeFirstOrThrow()
  const copies = Array.from({ length: count }, (_, index) => {
    const name = `Room ${index}`
    return { ...room, id: `${roomId}-${index}`, name, search_text: name.toLowerCase() }
  })
  for (let from = 0; from < count; from += perInsert)
    await db
      .insertInto('rooms')
      .values(copies.slice(from, from + perInsert))
      .execute()
}

/** Stores messages of somebody who was in the room earlier. Their ids sort before those of now. */
export function storeMessages(dataDir: string, roomId: string, count: number): void {
  const db = new DatabaseSync(join(dataDir, 'earshot.sqlite'), { timeout: 10_000 })
  const insert = db.prepare(
    'insert into messages (id, room_id, user_id, content, created_at) values (?, ?, ?, ?, ?)',
  )
  const startedAtMs = Date.now() - count * 60_000
  db.exec('begin immediate')
  for (let index = 0; index < count; index += 1) {
    const content = `message ${index} ${'and more words '.repeat(index % 9)}`
    const id = `0-${String(index).padStart(6, '0')}`
    insert.run(id, roomId, `user ${index % 4}`, content, startedAtMs + index * 60_000)
  }
  db.exec('commit')
  db.close()
}
