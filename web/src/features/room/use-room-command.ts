import { AppError } from '@earshot/core/protocol/errors'
import { useCallback } from 'react'
import { errorTexts, room } from '../../texts.ts'
import { notify } from '../../ui/notify.ts'

/** Runs a command of the room; one that the server refuses is told in a notice. */
export function useRoomCommand(): (command: () => Promise<void>) => void {
  return useCallback((command) => {
    command().catch((error: unknown) => {
      const code = error instanceof AppError ? error.code : 'internal'
      notify({ kind: 'error', title: room.commandFailedTitle, text: errorTexts[code] })
    })
  }, [])
}
