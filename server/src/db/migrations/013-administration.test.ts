import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { openDatabase } from '../database.ts'
import { openFirstVersion } from '../testing/first-version.ts'

describeDatabases('the migration of user names', (_open, make) => {
  it('16.34 gives equal names a number, the oldest keeps the name, and all keep the library', async () => {
    const options = await make()
    const first = await openFirstVersion(options)
    const names = ['Ann', 'ann', 'bob', 'ANN', 'ann 2', 'Аnn', 'a'.repeat(60), 'A'.repeat(60), '\u200B']
    for (const [index, name] of names.entries()) {
      await sql`insert into profiles
        (id, username, full_name, preferred_source, spotify_connected, youtube_connected, created_at)
        values (${`u${index}`}, ${name}, '', 'library', 0, 0, ${index})`.execute(first)
    }
    await first.destroy()
    const db = await openDatabase(options)
    try {
      const rows = await db
        .selectFrom('profiles')
        .select(['username', 'library_access'])
        .orderBy('created_at')
        .execute()
      expect(rows.map(({ username }) => username)).toEqual([
        'Ann',
        'ann 2',
        'bob',
        'ANN 3',
        'ann 2 2',
        'Аnn 4',
        'a'.repeat(60),
        `${'A'.repeat(58)} 2`,
        '\u200B',
      ])
      expect(new Set(rows.map((row) => row.library_access))).toEqual(new Set([1]))
    } finally {
      await db.destroy()
    }
  })
})
