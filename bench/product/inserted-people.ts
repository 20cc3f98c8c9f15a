import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../server/src/db/database.ts'
import { insertSessions } from '../../server/test/sign-in.ts'
import type { Person, ProductServer } from './product-server.ts'

/** Other writers, such as the server, wait for a transaction to end. */
const peoplePerTransaction = 200

let peopleMade = 0

/**
 * Inserts users with sessions into the server's SQLite database: ten thousand cannot sign up over HTTP, which hashes a
 * password each. The loopback addresses of their requests are taken in turn.
 */
export async function insertPeople({ app }: ProductServer, count: number): Promise<Person[]> {
  const secret = (await readFile(join(app.dataDir, 'secret'), 'utf8')).trim()
  const db = await openDatabase({ databaseUrl: null, dataDir: app.dataDir })
  const people: Person[] = []
  while (people.length < count) {
    const size = Math.min(peoplePerTransaction, count - people.length)
    const names = Array.from({ length: size }, (_, index) => ({ name: `visitor${peopleMade + index}` }))
    peopleMade += size
    const inserted = await insertSessions(db, secret, names)
    people.push(...inserted.map(({ cookie }, index) => ({ cookie, from: `127.1.0.${1 + index}` })))
  }
  await db.destroy()
  return people
}
