import { useQuery } from '@tanstack/react-query'
import { integrations, profile as texts } from '../../texts/profile.ts'
import { profileQuery } from '../../api/queries.ts'
import { readSession, useSession, type SessionUser } from '../../api/session.tsx'
import { authentication, productName } from '../../texts/common.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TryAgain } from '../../ui/try-again.tsx'
import { useSignInFirst } from '../../ui/use-sign-in-first.ts'
import { AccountCard } from './account-card.tsx'
import { PreferencesCard } from './preferences-card.tsx'
import { SecurityCard } from './security-card.tsx'
import { SpotifyIntegration } from './spotify-integration.tsx'
import { StatsCard } from './stats-card.tsx'
import { YoutubeIntegration } from './youtube-integration.tsx'

/** The profile with statistics, integrations and preferences (2.31 to 2.34); needs a session. */
export function ProfilePage() {
  const { user, isUnreadable } = useSession()
  useSignInFirst('/profile', texts.needsLogin)
  return (
    <div className="mx-auto mt-8 max-w-280 sm:mt-12">
      <title>{`${texts.title} · ${productName}`}</title>
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
