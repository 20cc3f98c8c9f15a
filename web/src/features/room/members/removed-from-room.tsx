import { DoorClosed } from 'lucide-react'
import { Link } from 'react-router'
import { people } from '../../../texts/people.ts'
import { room as roomTexts } from '../../../texts/room.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { PageNotice } from '../../../ui/page-notice.tsx'
import { useRoomActions, useRoomState } from '../use-room.ts'

/** Shown to a user whom the owner removed. One who is not banned may come back. */
export function RemovedFromRoom({ isBanned }: { isBanned: boolean }) {
  const { retryConnection } = useRoomActions()
  const name = useRoomState((state) => state.room?.name)
  return (
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
        <Link to="/" className={buttonLook({ tone: 'secondary' })}>
          {roomTexts.returnHome}
        </Link>
      </div>
    </PageNotice>
  )
}
