import { useSyncExternalStore } from 'react'
import { useRoomState } from './use-room.ts'

type LostConnection = 'offline' | 'disabled' | 'reconnecting'

/** Why the server cannot be reached; null while it can. */
export function useLostConnection(): LostConnection | null {
  const connection = useRoomState((state) => state.connection)
  const isOnline = useSyncExternalStore(subscribeToOnline, () => navigator.onLine)
  if (!isOnline) return 'offline'
  if (connection === 'connected') return null
  return connection === 'disabled' ? 'disabled' : 'reconnecting'
}

function subscribeToOnline(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
