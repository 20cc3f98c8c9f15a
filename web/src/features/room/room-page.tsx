import { useParams } from 'react-router'
import { readSession, useSession } from '../../api/session.tsx'
import { authentication, productName } from '../../texts/common.ts'
import { room } from '../../texts/room.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { RoomNotFound, RoomSkeleton } from './access.tsx'
import { Door } from './door/doors.tsx'
import { RoomScreen } from './room-screen.tsx'
import { RoomProvider } from './use-room.ts'

/** The room page (2.7): remounts for each room. Without a session it shows the room's door. */
export function RoomPage() {
  const { roomId = '' } = useParams()
  const { status, isUnreadable } = useSession()
  return (
    <>
      <title>{`${room.title} · ${productName}`}</title>
      {status === 'signed_in' || status === 'guest' ? (
        <RoomProvider key={roomId} roomId={roomId}>
          <ErrorBoundary fallback={(retry) => <FailedScreen onRetry={retry} />}>
            <RoomScreen />
          </ErrorBoundary>
        </RoomProvider>
      ) : status === 'signed_out' ? (
        <Door key={roomId} roomId={roomId} notFound={<RoomNotFound />} />
      ) : isUnreadable ? (
        <TryAgain
          title={authentication.unreadableTitle}
          text={authentication.unreadableText}
          onRetry={() => void readSession()}
          className="min-h-[60dvh]"
        />
      ) : (
        <RoomSkeleton />
      )}
    </>
  )
}

function FailedScreen({ onRetry }: { onRetry: () => void }) {
  const { screenFailedTitle, screenFailedText } = room
  return (
    <TryAgain title={screenFailedTitle} text={screenFailedText} onRetry={onRetry} className="min-h-[60dvh]" />
  )
}
