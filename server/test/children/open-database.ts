// Opens a database and says what its tables are. Started several times at once by the tests of migrations.
import { openDatabase } from '../../src/db/database.ts'

const [databaseUrl = '', dataDir = ''] = process.argv.slice(2)
const db = await openDatabase({ databaseUrl: databaseUrl === '' ? null : databaseUrl, dataDir })
const tables = await db.introspection.getTables()
process.stdout.write(JSON.stringify(tables.map((table) => table.name).toSorted()))
await db.destroy()
