import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it, onTestFinished } from 'vitest'
import { describeDatabases, makeDataFolder } from '../../test/databases.ts'
import { openDatabase } from '../db/database.ts'
import { createReadiness } from './readiness.ts'

it('16.163 asks the database and Redis once for all who ask within 250 ms', async () => {
  const [dataDir, clock] = [await makeDataFolder(), createFakeClock()]
  const db = await openDatabase({ databaseUrl: null, dataDir })
  onTestFinished(() => db.destroy())
  let writes = 0
  const set = async (): Promise<'OK'> => {
    writes += 1
    return 'OK'
  }
  const check = createReadiness({
    db,
    redis: { set },
    clock,
    dataDir,
    databaseUrl: null,
    diskReserveBytes: 0,
  })
  const isFine = { database: true, writable: true, disk: true, redis: true }
  expect(await Promise.all([check(), check()])).toEqual([isFine, isFine])
  clock.advance(249)
  expect(await check()).toEqual(isFine)
  expect(writes).toBe(1)
  clock.advance(1)
  expect(await check()).toEqual(isFine)
  expect(writes).toBe(2)
})

describeDatabases('readiness', (open, make) => {
  it('16.203 needs free space in the data folder where the database is there', async () => {
    const [db, { databaseUrl }] = [await open(), await make()]
    const parts = { db, redis: null, clock: createFakeClock(), dataDir: await makeDataFolder(), databaseUrl }
    const checks = await createReadiness({ ...parts, diskReserveBytes: Infinity })()
    const works = { database: true, writable: true }
    expect(checks).toEqual(databaseUrl === null ? { ...works, disk: false } : works)
  })
})
