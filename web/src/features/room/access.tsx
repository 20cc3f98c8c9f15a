import { Link } from 'react-router'
import { room } from '../../texts.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { notify } from '../../ui/notify.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useRoomActions } from './use-room.ts'

/** There is an address but no room yet (2.20). */
export function RoomConnecting() {
  const { retryConnection } = useRoomActions()
  const retry = () => {
    notify({ kind: 'info', title: room.reconnectingNotice })
    retryConnection()
  }
  return (
    <section className="flex min-h-[70dvh] flex-col items-center justify-center text-center">
      <Spinner className="size-10 text-brand-text" />
      <h1 className="mt-6 text-2xl font-semibold tracking-tight">{room.connectingTitle}</h1>
      <output className="mt-2 text-ink-muted">{room.connectingText}</output>
      <p className="mt-1 max-w-88 text-sm text-balance text-ink-muted">{room.connectingHint}</p>
      <div className="mt-7 flex flex-wrap justify-center gap-3">
        <Button tone="primary" onClick={retry}>
          {room.retryConnection}
        </Button>
        <Link to="/" className={buttonLook({ tone: 'secondary' })}>
          {room.returnHome}
        </Link>
      </div>
    </section>
  )
}
