import type { SourceStatus } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { Db } from '../db/database.ts'
import { browseLibraryFiles, searchLibraryFiles } from '../db/catalogue/library-search.ts'
import type { Page, TrackProvider, TracksFound } from '../providers/provider.ts'
import { foldText, searchWords } from './search-text.ts'

export interface LibraryProvider extends TrackProvider {
  /** Lists the whole library by artist, album and title. Throws as `search` does. */
  browse(page: Page): Promise<TracksFound & { isScanning: boolean }>
}

/** The state of the music library that its searches depend on. */
export interface LibraryState {
  /** Unavailable while the folder cannot be read. The catalogue is kept meanwhile. */
  status(): SourceStatus
  /** Whether the catalogue may still differ from the folder, so that more tracks may follow soon. */
  isScanning(): boolean
}

/** Throws `source_unavailable` while the folder cannot be read. */
export function requireFolder(library: Pick<LibraryState, 'status'>): void {
  const { available, reason } = library.status()
  if (!available) throw new AppError('source_unavailable', reason ?? undefined)
}

/**
 * Creates the provider of the server's own music. Every word of a query, up to eight, must occur in title, artist or
 * album.
 */
export function createLibraryProvider(db: Db, library: LibraryState): LibraryProvider {
  return {
    source: 'library',
    status: () => library.status(),
    async search(query, page) {
      requireFolder(library)
      const phrase = foldText(query)
      if (phrase === '') return { tracks: [], total: 0 }
      return searchLibraryFiles(db, { phrase, words: searchWords(phrase) }, page)
    },
    async browse(page) {
      requireFolder(library)
      // Before reading: a scan that ends during the read may add tracks that the read misses.
      const isScanning = library.isScanning()
      return { ...(await browseLibraryFiles(db, page)), isScanning }
    },
  }
}
