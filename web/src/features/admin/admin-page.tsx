import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminStatusQuery } from '../../api/admin.ts'
import { readSession, useSession } from '../../api/session.tsx'
import { admin as texts } from '../../texts/admin.ts'
import { authentication, common } from '../../texts/common.ts'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { Tabs } from '../../ui/controls/tabs.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { useSignInFirst } from '../../ui/page/use-sign-in-first.ts'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { AdminCodeForm } from './admin-code-form.tsx'
import { InvitesPanel } from './invites-panel.tsx'
import { LibraryPanel } from './library-panel.tsx'
import { OverviewPanel } from './overview-panel.tsx'
import { RoomsPanel } from './rooms-panel.tsx'
import { UsersPanel } from './users-panel.tsx'

/**
 * The administration (16.36). Asks visitors and guests to sign in. Users who are no administrators get `fallback`, the
 * page of unknown addresses; while there is none, a signed-in user is asked for the code.
 */
export function AdminPage({ fallback }: { fallback: React.ReactNode }) {
  const { status: session, isUnreadable } = useSession()
  useSignInFirst('/admin', texts.needsLogin)
  const {
    data: status,
    isLoadingError,
    refetch,
  } = useQuery({ ...adminStatusQuery, enabled: session === 'signed_in' })
  if (session === 'loading' && isUnreadable) {
    const { unreadableTitle: title, unreadableText: text } = authentication
    return <TryAgain title={title} text={text} onRetry={() => void readSession()} />
  }
  if (isLoadingError)
    return <TryAgain title={texts.loadFailed} text={texts.loadFailedText} onRetry={() => void refetch()} />
  if (!status) return <Loading />
  if (status.isAdmin) return <Administration />
  return status.isCodeAwaited ? <AdminCodeForm /> : fallback
}

function Loading() {
  return (
    <output aria-label={common.loading} className="mt-8 block sm:mt-12">
      <Skeleton className="h-10 w-60" />
      <Skeleton className="mt-8 h-80 rounded-xl" />
    </output>
  )
}

function Administration() {
  const [tab, setTab] = useState('overview')
  return (
    <div className="mt-8 sm:mt-12">
      <PageTitle name={texts.title} />
      <h1 className="mb-6 text-headline font-semibold tracking-tight">{texts.title}</h1>
      <Tabs
        label={texts.sections}
        value={tab}
        onChange={setTab}
        listClassName="max-w-2xl overflow-x-auto rounded-full"
        tabs={[
          { value: 'overview', title: texts.overview, panel: <OverviewPanel /> },
          { value: 'users', title: texts.users, panel: <UsersPanel /> },
          { value: 'rooms', title: texts.rooms, panel: <RoomsPanel /> },
          { value: 'invites', title: texts.invites, panel: <InvitesPanel /> },
          { value: 'library', title: texts.library, panel: <LibraryPanel /> },
        ]}
      />
    </div>
  )
}
