// Takes the write lock of a database as another program would, says so, and holds it for the given time.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

const [path = '', heldMs = '0'] = process.argv.slice(2)
const database = new DatabaseSync(path, { timeout: 10_000 })
database.exec('begin immediate')
process.stdout.write('locked\n')
await delay(Number(heldMs))
database.exec('rollback')
process.stdout.write('released\n')
