import { useCallback } from 'react'
import { nowPlaying } from '../../../texts.ts'
import { notify } from '../../../ui/notify.ts'
import { useRoomActions } from '../use-room.ts'

/** Aligns this listener with the room, and says so (2.28). A failed sync is only logged (8.17). */
export function useManualSync(): () => void {
  const { sync } = useRoomActions()
  return useCallback(() => {
    notify({ kind: 'info', title: nowPlaying.syncing, text: nowPlaying.syncingText, durationMs: 2_000 })
    sync().catch(reportError)
  }, [sync])
}
