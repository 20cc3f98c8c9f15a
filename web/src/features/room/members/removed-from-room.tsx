import { DoorClosed } from 'lucide-react'
import { Link } from 'react-router'
import { common } from '../../../texts/common.ts'
import { people } from '../../../texts/people.ts'
import { room as roomTexts } from '../../../texts/room.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { PageNotice } from '../../../ui/page-notice.tsx'
import { useRoomActions, useRoomState } from '../use-room.ts'

/** Shown to a user whom the owner removed. One who was banned may try again: the owner lifts bans. */
export function RemovedFromRoom({ isBanned }: { isBanned: boolean }) {
  const { retryConnection } = useRoomActions()
  const name = useRoomState((state) => state.room?.name)
  return (
<<<<<<< HEAD
    <section className="mx-auto flex min-h-[70dvh] max-w-104 flex-col items-center justify-center py-10 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-surface text-ink-muted ring-1 ring-line ring-inset">
        <DoorClosed aria-hidden className="size-7" />
      </span>
      <h1 className="mt-6 text-2xl font-semibold tracking-tight wrap-anywhere">
        {isBanned ? people.bannedTitle(name) : people.kickedTitle(name)}
      </h1>
      <p role="alert" className="mt-2 text-balance text-ink-muted">
        {isBanned ? people.bannedText : people.kickedText}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <Button tone={isBanned ? 'secondary' : 'primary'} onClick={retryConnection}>
          {isBanned ? common.tryAgain : people.joinAgain}
        </Button>
=======
    <PageNotice
      isAlert
      icon={DoorClosed}
      title={isBanned ? people.bannedTitle(name) : people.kickedTitle(name)}
      text={isBanned ? people.bannedText : people.kickedText}
    >
      <div className="flex flex-wrap justify-center gap-3">
        {!isBanned && (
          <Button tone="primary" onClick={retryConnection}>
            {people.joinAgain}
          </Button>
        )}
>>>>>>> look
        <Link to="/" className={buttonLook({ tone: 'secondary' })}>
          {roomTexts.returnHome}
        </Link>
      </div>
    </PageNotice>
  )
}
