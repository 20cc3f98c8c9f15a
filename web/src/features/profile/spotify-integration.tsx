import type { SpotifyConnection } from '@earshot/core/protocol/providers'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { integrations, spotify as texts } from '../../texts/profile.ts'
import { openSpotifyConsent } from '../../api/account.ts'
import { callApiRetrying } from '../../api/call-api.ts'
import { spotifyQuery } from '../../api/provider-queries.ts'
import { profileQuery, sourcesQuery } from '../../api/queries.ts'
import { AlertBox } from '../../ui/notices/alert-box.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { describeError } from '../../api/describe-error.ts'
import { Integration } from './integration.tsx'

/** The user's Spotify account: connect, reconnect, disconnect (2.33a). */
export function SpotifyIntegration({ userId }: { userId: string }) {
  const { data: connection, isError, refetch } = useQuery(spotifyQuery)
  const isConnected = connection ? connection.isConnected && !connection.mustReconnect : null
  return (
    <Integration source="spotify" isConnected={isConnected}>
      {connection ? (
        <SpotifyAccount userId={userId} connection={connection} />
      ) : isError ? (
        <TryAgain title={integrations.loadFailed('spotify')} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-22" />
      )}
    </Integration>
  )
}

interface SpotifyAccountProps {
  userId: string
  connection: SpotifyConnection
}

function SpotifyAccount({ userId, connection }: SpotifyAccountProps) {
  const { data: sources, isPending } = useQuery(sourcesQuery)
  const { connect, isBusy } = useConsent()
  const disconnect = useDisconnect(userId)
  const { isConnected, mustReconnect } = connection
  const hasConsented = isConnected || mustReconnect
  if (!hasConsented && isPending) return <Skeleton className="h-22" />
  const isSetUp = sources?.find(({ source }) => source === 'spotify')?.available ?? true
  if (!hasConsented && !isSetUp) return <NotSetUp />
  return (
    <>
      <SpotifyState connection={connection} />
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          tone={isConnected && !mustReconnect ? 'secondary' : 'primary'}
          isBusy={isBusy}
          onClick={() => void connect()}
        >
          {hasConsented ? integrations.reconnect : integrations.connect}
        </Button>
        {hasConsented && (
          <Button tone="quiet" isBusy={disconnect.isPending} onClick={() => disconnect.mutate()}>
            {integrations.disconnect}
          </Button>
        )}
      </div>
    </>
  )
}

/** In the place of the account (decision 155); as high as the skeleton before it, so that nothing moves. */
const NotSetUp = () => (
  <p className="flex min-h-22 items-center rounded-md bg-raised p-4 text-sm text-ink-muted">
    {integrations.notSetUp('spotify')}
  </p>
)

/** Shows which account is connected, and since when. */
function SpotifyState({ connection }: { connection: SpotifyConnection }) {
  const { isConnected, displayName, authorizedAt, expiresSoon, mustReconnect } = connection
  if (mustReconnect) return <AlertBox kind="error">{texts.mustReconnect}</AlertBox>
  if (!isConnected) return <p className="text-sm text-ink-muted">{texts.text}</p>
  const about = [
    displayName !== null && texts.connectedAs(displayName),
    authorizedAt !== null && texts.connectedSince(authorizedAt),
  ].filter((text) => text !== false)
  return (
    <>
      <p className="text-sm wrap-anywhere text-ink-muted">{about.join(' · ')}</p>
      {expiresSoon && (
        <div className="mt-3">
          <AlertBox kind="warning">
            {authorizedAt === null ? texts.expiresSoonUnknown : texts.expiresSoon(endOfConsent(authorizedAt))}
          </AlertBox>
        </div>
      )}
    </>
  )
}

const consentMonths = 6

function endOfConsent(authorizedAtMs: number): number {
  const date = new Date(authorizedAtMs)
  return date.setMonth(date.getMonth() + consentMonths)
}

/** Opens the consent page. Busy until the page is left, and no longer after a return by the back button. */
function useConsent() {
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    const reset = () => setBusy(false)
    window.addEventListener('pageshow', reset)
    return () => window.removeEventListener('pageshow', reset)
  }, [])
  const connect = async () => {
    setBusy(true)
    try {
      await openSpotifyConsent()
    } catch (error) {
      setBusy(false)
      notify({ kind: 'error', title: texts.errorTitle, text: describeError(error) })
    }
  }
  return { connect, isBusy }
}

function useDisconnect(userId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => (await callApiRetrying('DELETE /api/spotify', {})).connection,
    onSuccess: async (connection) => {
      queryClient.setQueryData(spotifyQuery.queryKey, connection)
      notify({ kind: 'success', title: integrations.disconnected('spotify') })
      await queryClient.invalidateQueries({ queryKey: profileQuery(userId).queryKey })
    },
    onError: (error) =>
      notify({
        kind: 'error',
        title: integrations.disconnectFailed('spotify'),
        text: describeError(error),
      }),
  })
}
