import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { readSession, useSession } from '../../api/session.tsx'
import { authentication } from '../../texts/common.ts'
import { createRoom } from '../../texts/create-room.ts'
import { authenticationTopic, notify } from '../../ui/notices/notify.ts'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { CreateRoomForm } from './create-room-form.tsx'

/** The page to create a room (2.29); redirects to login without a session (2.16, 5.2). */
export function CreateRoomPage() {
  const { status, user, isUnreadable } = useSession()
  const navigate = useNavigate()
  useEffect(() => {
    if (status !== 'signed_out' && status !== 'guest') return
    notify({
      kind: 'warning',
      topic: authenticationTopic,
      title: authentication.requiredWarning,
      text: createRoom.needsLogin,
    })
    void navigate('/login', { replace: true, state: { from: '/create-room' } })
  }, [status, navigate])
  return (
    <div className="mx-auto mt-8 max-w-160 sm:mt-12">
      <PageTitle name={createRoom.title} />
      <h1 className="text-headline font-semibold tracking-tight">{createRoom.title}</h1>
      <p className="mt-2 mb-8 text-ink-muted">{createRoom.text}</p>
      <div className="rounded-2xl bg-surface p-6 ring-1 ring-line ring-inset sm:p-8">
        {user && !user.isGuest ? (
          <CreateRoomForm userId={user.id} />
        ) : isUnreadable ? (
          <TryAgain
            title={authentication.unreadableTitle}
            text={authentication.unreadableText}
            onRetry={() => void readSession()}
          />
        ) : (
          <FormSkeleton />
        )}
      </div>
    </div>
  )
}

function FormSkeleton() {
  return (
    <div className="flex flex-col gap-7">
      <Skeleton className="h-19" />
      <Skeleton className="h-27" />
      <Skeleton className="h-27" />
      <Skeleton className="h-13 rounded-full" />
    </div>
  )
}
