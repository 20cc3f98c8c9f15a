import type { Playlist } from '@earshot/core/protocol/providers'
import { useStore } from 'zustand'
import { emptyImport, type ImportProgress } from '../../../../engine/import/import-progress.ts'
import { useRoomVisit } from '../../use-room.ts'

interface PlaylistImport {
  progress: ImportProgress
  start: (trackIds: readonly string[]) => void
  retry: () => void
  cancel: () => void
}

/** The import of a playlist or an album in this visit. It goes on while nothing shows it. */
export function useImport({ source, id }: Pick<Playlist, 'source' | 'id'>): PlaylistImport {
  const { imports } = useRoomVisit()
  const key = `${source}:${id}`
  return {
    progress: useStore(imports.store, (all) => all[key] ?? emptyImport),
    start: (trackIds) => imports.start(key, trackIds),
    retry: () => imports.retry(key),
    cancel: () => imports.cancel(key),
  }
}
