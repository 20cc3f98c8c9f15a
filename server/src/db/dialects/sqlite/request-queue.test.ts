import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createCheckpoints } from './checkpoints.ts'
import { createRequestQueue } from './request-queue.ts'
import { createStatements } from './statements.ts'

it('16.147 the log is merged behind the hundredth answer, before the next request is taken', () => {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec('create table notes (content text)')
  const seen: (number | 'merge')[] = []
  const exec = database.exec.bind(database)
  vi.spyOn(database, 'exec').mockImplementation((text) => {
    if (text.includes('wal_checkpoint')) seen.push('merge')
    exec(text)
  })
  const queue = createRequestQueue({
    database,
    statements: createStatements(database),
    checkpoints: createCheckpoints(database),
    busyTimeoutMs: 1_000,
    reply: (id) => seen.push(id),
    collect: () => undefined,
    close: () => undefined,
  })
  const statement = { sql: 'insert into notes values (?)', parameters: ['one'] }
  for (let id = 1; id <= 101; id += 1) {
    queue.add({ kind: 'unit', id, statements: [statement] })
    queue.run()
  }
  expect(seen.slice(98)).toEqual([99, 100, 'merge', 101])
  expect(seen.filter((each) => each === 'merge')).toHaveLength(1)
})
