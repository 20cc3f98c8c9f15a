// Takes the write lock of a database as another program would, says so, and holds it until its input ends.
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'

const path = process.argv[2] ?? ''
const database = new DatabaseSync(path, { timeout: 10_000 })
database.exec('begin immediate')
process.stdout.write('locked\n')
await once(process.stdin.resume(), 'end')
database.exec('rollback')
