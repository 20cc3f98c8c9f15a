import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { emailChange, integrations, profile as texts } from '../../texts/profile.ts'
import { profileQuery } from '../../api/queries.ts'
import { readSession, useSession, type SessionUser } from '../../api/session.tsx'
import { authentication } from '../../texts/common.ts'
import { Card } from '../../ui/card.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { useSignInFirst } from '../../ui/page/use-sign-in-first.ts'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { AccountCard } from './account-card.tsx'
import { PreferencesCard } from './preferences-card.tsx'
import { SecurityCard } from './security-card.tsx'
import { SpotifyIntegration } from './spotify-integration.tsx'
import { StatsCard } from './stats-card.tsx'
import { YoutubeIntegration } from './youtube-integration.tsx'

/** The profile with statistics, integrations and preferences (2.31 to 2.34); needs a session. */
export function ProfilePage() {
  const { user, isUnreadable } = useSession()
  useEmailChange()
  useSignInFirst('/profile', texts.needsLogin)
  return (
    <div className="mx-auto mt-8 max-w-280 sm:mt-12">
      <PageTitle name={texts.title} />
      <h1 className="mb-6 text-headline font-semibold tracking-tight sm:mb-8">{texts.title}</h1>
      {user && !user.isGuest ? (
        <SignedInProfile user={user} />
      ) : isUnreadable ? (
        <TryAgain
          title={authentication.unreadableTitle}
          text={authentication.unreadableText}
          onRetry={() => void readSession()}
        />
      ) : (
        <ProfileSkeleton />
      )}
    </div>
  )
}

/** Reports the outcome of the link mailed to a new address, which leads here. */
function useEmailChange(): void {
  const [query, setQuery] = useSearchParams()
  const isReturn = query.get('changed') === 'email'
  const hasFailed = query.has('error')
  useEffect(() => {
    if (!isReturn) return
    if (hasFailed) notify({ kind: 'error', title: emailChange.unchanged, text: emailChange.unchangedText })
    else notify({ kind: 'success', title: emailChange.changed })
    setQuery({}, { replace: true })
  }, [isReturn, hasFailed, setQuery])
}

function SignedInProfile({ user }: { user: SessionUser }) {
  const { data: profile, isError, refetch } = useQuery(profileQuery(user.id))
  if (!profile && isError) {
    return (
      <TryAgain title={texts.loadFailedTitle} text={texts.loadFailedText} onRetry={() => void refetch()} />
    )
  }
  if (!profile) return <ProfileSkeleton />
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_1.4fr]">
      <div className="grid min-w-0 gap-6">
        <AccountCard profile={profile} />
        <StatsCard userId={user.id} />
        <SecurityCard />
      </div>
      <div className="grid min-w-0 gap-6">
        <IntegrationsCard userId={user.id} />
        <PreferencesCard profile={profile} />
        <p>
          <a
            href="/third-party.txt"
            className="inline-flex items-center text-sm text-brand-text hover:underline pointer-coarse:min-h-11"
          >
            {texts.thirdParty}
          </a>
        </p>
      </div>
    </div>
  )
}

function ProfileSkeleton() {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_1.4fr]">
      <div className="grid gap-6">
        <Skeleton className="h-66 rounded-xl" />
        <Skeleton className="h-46 rounded-xl" />
      </div>
      <div className="grid gap-6">
        <Skeleton className="h-100 rounded-xl" />
        <Skeleton className="h-66 rounded-xl" />
      </div>
    </div>
  )
}

/** Shows the user's accounts at the providers (2.33). */
function IntegrationsCard({ userId }: { userId: string }) {
  return (
    <Card title={integrations.title}>
      <div className="grid gap-6 [&>*+*]:border-t [&>*+*]:border-line [&>*+*]:pt-6">
        <SpotifyIntegration userId={userId} />
        <YoutubeIntegration userId={userId} />
      </div>
    </Card>
  )
}
