import { AppError } from '@earshot/core/protocol/errors'
import type { Db } from '../db/database.ts'
import { browseLibraryFiles, searchLibraryFiles } from '../db/library-files.ts'
import type { Page, TrackProvider, TracksFound } from '../providers/provider.ts'
import { foldText } from './search-text.ts'
import type { MusicLibrary } from './music-library.ts'

export interface LibraryProvider extends TrackProvider {
  /** Everything, in order of artist, album and title, as far as it is known. Throws as `search` does. */
  browse(page: Page): Promise<TracksFound & { isScanning: boolean }>
}

/** The server's own music as a source. Every word of a query must occur in title, artist or album. */
export function createLibraryProvider(
  db: Db,
  library: Pick<MusicLibrary, 'status' | 'isScanning'>,
): LibraryProvider {
  const requireFolder = (): void => {
    const { available, reason } = library.status()
    if (!available) throw new AppError('source_unavailable', reason ?? undefined)
  }
  return {
    source: 'library',
    status: () => library.status(),
    async search(query, page) {
      requireFolder()
      const phrase = foldText(query)
      if (phrase === '') return { tracks: [], total: 0 }
      return searchLibraryFiles(db, { phrase, words: phrase.split(' ') }, page)
    },
    async browse(page) {
      requireFolder()
      // Asked first: a scan that ends while the tracks are read may have added to them.
      const isScanning = library.isScanning()
      return { ...(await browseLibraryFiles(db, page)), isScanning }
    },
  }
}
