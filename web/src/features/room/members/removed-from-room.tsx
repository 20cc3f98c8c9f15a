import { DoorClosed } from 'lucide-react'
import { Link } from 'react-router'
import { common } from '../../../texts/common.ts'
import { people } from '../../../texts/people.ts'
import { room as roomTexts } from '../../../texts/room.ts'
import { Button, buttonLook } from '../../../ui/controls/button.tsx'
import { PageNotice } from '../../../ui/notices/page-notice.tsx'
import { useRoomActions, useRoomState } from '../use-room.ts'

/** Shown to a user whom the owner removed. One who was banned may try again: the owner lifts bans. */
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
        <Button tone={isBanned ? 'secondary' : 'primary'} onClick={retryConnection}>
          {isBanned ? common.tryAgain : people.joinAgain}
        </Button>
        <Link to="/" className={buttonLook({ tone: 'secondary' })}>
          {roomTexts.returnHome}
        </Link>
      </div>
    </PageNotice>
  )
}
