import { useState } from 'react'
import { useRoomState } from '../use-room.ts'

interface ListenModeState {
  isOpen: boolean
  /** Does nothing without a track, or for a video, which nothing may cover. */
  open: () => void
  close: () => void
}

/** Whether the listen mode is open. It ends for good where what comes next cannot be shown in it. */
export function useListenMode(): ListenModeState {
  const source = useRoomState((state) => state.heardTrack?.source)
  const canOpen = source !== undefined && source !== 'youtube'
  const [isOpen, setOpen] = useState(false)
  if (isOpen && !canOpen) setOpen(false)
  return { isOpen, open: () => setOpen(canOpen), close: () => setOpen(false) }
}
