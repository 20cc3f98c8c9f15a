import { codeOf } from '@earshot/core/protocol/errors'
import { useCallback } from 'react'
import { errorTexts } from '../../texts/errors.ts'
import { nowPlaying } from '../../texts/now-playing.ts'
import { room } from '../../texts/room.ts'
import { notify } from '../../ui/notices/notify.ts'
import { useRoomActions } from './use-room.ts'

/** Returns a function that runs a room command and shows a notice when it fails. */
export function useRoomCommand(): (command: () => Promise<void>) => void {
  return useCallback((command) => {
    command().catch((error: unknown) => {
      notify({ kind: 'error', title: room.commandFailedTitle, text: errorTexts[codeOf(error)] })
    })
  }, [])
}

/** Returns a function that aligns this listener with the room and shows a notice (2.28). Failures are only logged (8.17). */
export function useManualSync(): () => void {
  const { sync } = useRoomActions()
  return useCallback(() => {
    notify({ kind: 'info', title: nowPlaying.syncing, text: nowPlaying.syncingText, durationMs: 2_000 })
    sync().catch(reportError)
  }, [sync])
}

/** Returns a function that reconnects to the room's server and shows a notice. */
export function useRetryConnection(): () => void {
  const { retryConnection } = useRoomActions()
  return useCallback(() => {
    notify({ kind: 'info', title: room.reconnectingNotice })
    retryConnection()
  }, [retryConnection])
}
