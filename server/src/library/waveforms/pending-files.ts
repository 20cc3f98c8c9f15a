import type { Db } from '../../db/database.ts'
import { type WaveformFile, listWaveformFiles } from '../../db/catalogue/waveforms.ts'
import { hasWaveform } from './measure-file.ts'
import { serverLimits } from '../../server-limits.ts'

const filesPerPage = 200

/**
 * Lists the files whose waveform is missing by track id: those behind `start`, then the others. Each process begins
 * elsewhere, as two at the same place would measure each file twice.
 */
export async function* listPendingFrom(
  db: Db,
  start: string,
  limit = filesPerPage,
): AsyncGenerator<WaveformFile> {
  yield* listPending(db, { after: start, upTo: null, limit })
  yield* listPending(db, { after: '', upTo: start, limit })
}

async function* listPending(
  db: Db,
  { after, upTo, limit }: { after: string; upTo: string | null; limit: number },
): AsyncGenerator<WaveformFile> {
  for (let last = after; ;) {
    const files = await listWaveformFiles(db, { after: last, upTo, limit })
    yield* files.filter(isPending)
    if (files.length < limit) return
    last = files.at(-1)?.track_id ?? ''
  }
}

function isPending({ isMeasured, duration, path }: WaveformFile): boolean {
  return (
    !isMeasured &&
    duration !== null &&
    duration > 0 &&
    duration <= serverLimits.waveformMaxMs &&
    hasWaveform(path)
  )
}
