import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../server/src/clock/server-clock.ts'
import { openDatabase, type Db } from '../../server/src/db/database.ts'
import { listWaveformFiles } from '../../server/src/db/catalogue/waveforms.ts'
import { openLibrary } from '../../server/src/library/music-library.ts'
import { createLogger } from '../../server/src/ops/log.ts'

/** The variable with the folder of the prepared data; without it servers start with none. */
const folderVariable = 'PREPARED_DATA'
const demoMusic = join(import.meta.dirname, '..', '..', 'music')
const filesMax = 100

/** Data that a server starts with: tables without rows, or the demo tracks scanned and measured too. */
type Prepared = 'migrated' | 'demo-music'

/** Prepares data once for all servers of a run, as each would by itself. Returns what removes it. */
export async function prepareData(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-prepared-'))
  const [migrated, demo] = [join(folder, 'migrated'), join(folder, 'demo-music')]
  await (await openDatabase({ databaseUrl: null, dataDir: migrated })).destroy()
  cpSync(migrated, demo, { recursive: true })
  const db = await openDatabase({ databaseUrl: null, dataDir: demo })
  await scanDemoMusic(db, demo)
  await db.destroy()
  process.env[folderVariable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

async function scanDemoMusic(db: Db, dataDir: string): Promise<void> {
  const { library, indexing, waveforms, openFiles, seekableAudio, coverArt } = openLibrary({
    db,
    dataDir,
    musicDir: demoMusic,
    clock: systemClock,
    logger: await createLogger('warn'),
  })
  library.start()
  await library.rescan()
  await indexing.request()
  const files = await listWaveformFiles(db, { limit: filesMax })
  if (files.length === 0) throw new Error('The scan found no demo tracks')
  for (const file of files) await waveforms.find(file, file.duration)
  for (const part of [indexing, waveforms, library, openFiles, seekableAudio, coverArt]) await part.close()
}

/** Puts prepared data into an empty folder, if this run has any. */
export function copyPrepared(prepared: Prepared, dataDir: string): void {
  const folder = process.env[folderVariable]
  if (folder !== undefined) cpSync(join(folder, prepared), dataDir, { recursive: true })
}

/** The folder in which the servers of this run share their compiled code, which saves a third of the time of each start. */
export function preparedCache(): string | undefined {
  const folder = process.env[folderVariable]
  return folder === undefined ? undefined : join(folder, 'compiled')
}
