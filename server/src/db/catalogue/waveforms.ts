import type { Db } from '../database.ts'

/** The waveforms of library files, by their content. */

/** A stored answer: null for a file that cannot be decoded. */
interface StoredWaveform {
  peaks: number[] | null
}

/** Finds the waveform of a content; null if it was not computed yet. */
export async function findWaveform(db: Db, fingerprint: string): Promise<StoredWaveform | null> {
  const row = await db
    .selectFrom('library_waveforms')
    .select('peaks')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  if (!row) return null
  return { peaks: row.peaks === null ? null : [...Buffer.from(row.peaks, 'base64')] }
}

export async function insertWaveform(db: Db, fingerprint: string, peaks: number[] | null): Promise<void> {
  const row = { fingerprint, peaks: peaks === null ? null : Buffer.from(peaks).toString('base64') }
  await db
    .insertInto('library_waveforms')
    .values(row)
    .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet({ peaks: row.peaks }))
    .execute()
}

/** A file whose waveform may have to be computed. */
export interface WaveformFile {
  track_id: string
  path: string
  fingerprint: string
  /** In ms; null if unknown. */
  duration: number | null
  isMeasured: boolean
}

/** Lists the files that are present by track id, behind `after` up to `upTo`; a page costs the same wherever it is. */
export async function listWaveformFiles(
  db: Db,
  { after = '', upTo = null, limit }: { after?: string; upTo?: string | null; limit: number },
): Promise<WaveformFile[]> {
  const query = db
    .selectFrom('library_files')
    .innerJoin('tracks', 'tracks.id', 'library_files.track_id')
    .leftJoin('library_waveforms', 'library_waveforms.fingerprint', 'library_files.fingerprint')
    .select([
      'library_files.track_id',
      'library_files.path',
      'library_files.fingerprint',
      'tracks.duration',
      'library_waveforms.fingerprint as measured',
    ])
    .where('library_files.track_id', '>', after)
    .where('library_files.missing_since', 'is', null)
    .orderBy('library_files.track_id')
    .limit(limit)
  const rows = await (upTo === null ? query : query.where('library_files.track_id', '<=', upTo)).execute()
  return rows.map(({ measured, ...file }) => ({ ...file, isMeasured: measured !== null }))
}
