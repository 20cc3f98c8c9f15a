import { useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import { readSession, useSession } from '../../api/session.tsx'
import { authentication, productName } from '../../texts/common.ts'
import { room } from '../../texts/room.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { RoomSkeleton } from './access.tsx'
import { RoomScreen } from './room-screen.tsx'
import { RoomProvider } from './use-room.ts'

/** The room page (2.7): remounts for each room, and redirects to login without a session. */
export function RoomPage() {
  const { roomId = '' } = useParams()
  const { status, isUnreadable } = useSession()
  const navigate = useNavigate()
  useEffect(() => {
    if (status !== 'signed_out') return
    // With the fragment: it may hold an invite.
    const state = { from: `/room/${roomId}${window.location.hash}`, message: authentication.joinNeedsLogin }
    void navigate('/login', { replace: true, state })
  }, [status, roomId, navigate])
  return (
    <>
      <title>{`${room.title} · ${productName}`}</title>
      {status === 'signed_in' ? (
        <RoomProvider key={roomId} roomId={roomId}>
          <ErrorBoundary fallback={(retry) => <FailedScreen onRetry={retry} />}>
            <RoomScreen />
          </ErrorBoundary>
        </RoomProvider>
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
