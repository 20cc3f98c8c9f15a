import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'

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
    insert.run(
      `0-${String(index).padStart(6, '0')}-${roomId}`,
      roomId,
      `user ${index % 4}`,
      content,
      startedAtMs + index * 60_000,
    )
  }
  db.exec('commit')
  db.close()
}
