// Stores tracks in pairs, one transaction a pair, and says each number once it is acknowledged, until it is killed.
import { makeTrack } from '@earshot/core/testing/tracks'
import { openDatabase } from '../../src/db/database.ts'
import { upsertTracks } from '../../src/db/tracks.ts'

const [dataDir = ''] = process.argv.slice(2)
const db = await openDatabase({ databaseUrl: null, dataDir })

for (let number = 0; ; number += 1) {
  await db.transaction().execute(async (transaction) => {
    await upsertTracks(transaction, [makeTrack(`${number}a`)], 1)
    await upsertTracks(transaction, [makeTrack(`${number}b`)], 1)
  })
  process.stdout.write(`${number}\n`)
}
