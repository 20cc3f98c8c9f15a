import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { room } from '../../texts/room.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useRetryConnection } from './use-room-command.ts'
import { useRoomState } from './use-room.ts'

/** Floats below the top bar while the room's server cannot be reached; the layout does not move. */
export function ConnectionBar() {
  const connection = useRoomState((state) => state.connection)
  const retry = useRetryConnection()
  const isOnline = useSyncExternalStore(subscribeToOnline, () => navigator.onLine)
  if (connection === 'connected' && isOnline) return null
  const isDisabled = connection === 'disabled' && isOnline
  const text = !isOnline ? room.offline : isDisabled ? room.connectionDisabled : room.reconnecting
  return (
    <div className="pointer-events-none fixed inset-x-4 top-[calc(var(--spacing-topbar)+0.375rem)] z-30 flex justify-center">
      <output className="pointer-events-auto flex min-h-12 animate-appear items-center gap-3 rounded-full bg-ink py-2 ps-5 pe-2.5 text-sm text-page shadow-lift">
        {isOnline && !isDisabled ? (
          <Spinner className="size-4.5" />
        ) : (
          <WifiOff aria-hidden className="size-4.5" />
        )}
        <span className="pe-2.5">{text}</span>
        {isDisabled && (
          <Button tone="primary" size="sm" onClick={retry}>
            {room.retryConnection}
          </Button>
        )}
      </output>
    </div>
  )
}

function subscribeToOnline(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
