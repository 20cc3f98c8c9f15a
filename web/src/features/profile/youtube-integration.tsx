import type { VideoSearchResult, YoutubeConnection } from '@earshot/core/protocol/providers'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { integrations, youtube as texts } from '../../texts/profile.ts'
import { youtubeQuery } from '../../api/provider-queries.ts'
import { AlertBox } from '../../ui/notices/alert-box.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Meter } from '../../ui/music/meter.tsx'
import { PasswordField } from '../../ui/controls/password-field.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { Integration } from './integration.tsx'
import { type Outcome, useYoutube } from './use-youtube.ts'

/** The user's YouTube connection: connect or test it, with an own key or the server's (2.33b). */
export function YoutubeIntegration({ userId }: { userId: string }) {
  const { data: connection, isError, refetch } = useQuery(youtubeQuery)
  return (
    <Integration source="youtube" isConnected={connection?.isConnected ?? null}>
      {connection ? (
        <YoutubeAccount userId={userId} connection={connection} />
      ) : isError ? (
        <TryAgain title={integrations.loadFailed('youtube')} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-46" />
      )}
    </Integration>
  )
}

interface YoutubeAccountProps {
  userId: string
  connection: YoutubeConnection
}

function YoutubeAccount({ userId, connection }: YoutubeAccountProps) {
  const { isConnected, hasOwnKey, hasServerKey, quota } = connection
  const [key, setKey] = useState('')
  const [keyError, setKeyError] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const { connect, disconnect, isBusy, isDisconnecting, outcome } = useYoutube(userId)
  const needsKey = !hasServerKey && !hasOwnKey
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isMissing = needsKey && key.trim() === ''
    setKeyError(isMissing ? texts.keyMissing : null)
    if (isMissing) return field.current?.focus()
    if (await connect(key.trim() || null)) setKey('')
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p className="text-sm text-ink-muted">
        {texts.text} <span>{describeKey(connection)}</span>
      </p>
      {quota && (
        <Meter
          label={texts.quota}
          value={quota.used}
          max={quota.limit}
          text={texts.quotaText(quota.used, quota.limit)}
          hint={texts.quotaReset(quota.resetsAt)}
        />
      )}
      <PasswordField
        ref={field}
        label={needsKey ? texts.keyRequired : texts.key}
        hint={texts.keyHint}
        error={keyError}
        showLabel={texts.showKey}
        hideLabel={texts.hideKey}
        name="youtube-key"
        autoComplete="off"
        maxLength={200}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" tone={isConnected ? 'secondary' : 'primary'} isBusy={isBusy}>
          {describeAction(isConnected, isBusy)}
        </Button>
        {isConnected && (
          <Button tone="quiet" isBusy={isDisconnecting} onClick={() => disconnect()}>
            {integrations.disconnect}
          </Button>
        )}
      </div>
      {outcome && <LastTest outcome={outcome} />}
    </form>
  )
}

function LastTest({ outcome }: { outcome: Outcome }) {
  if (outcome.results !== undefined) return <SampleResults results={outcome.results} />
  return (
    <AlertBox kind="error">
      <strong className="font-semibold">{texts.errorAlert}</strong> <span>{outcome.error}</span>
      {outcome.details !== null && <p className="mt-1 text-ink-muted">{outcome.details}</p>}
    </AlertBox>
  )
}

function describeKey({ hasOwnKey, hasServerKey }: YoutubeConnection): string {
  if (hasOwnKey) return texts.usesOwnKey
  return hasServerKey ? texts.usesServerKey : texts.needsOwnKey
}

function describeAction(isConnected: boolean, isBusy: boolean): string {
  if (isConnected) return isBusy ? texts.testing : texts.test
  return isBusy ? integrations.connecting : integrations.connect
}

function SampleResults({ results }: { results: readonly VideoSearchResult[] }) {
  return (
    <div>
      <p id="youtube-samples" className="mb-3 text-sm font-medium">
        {texts.verified}
      </p>
      <ul aria-labelledby="youtube-samples" className="grid gap-3">
        {results.map(({ id, title, thumbnail, channelTitle }) => (
          <li key={id} className="flex items-start gap-3 sm:items-center">
            <Thumbnail url={thumbnail} />
            <div className="flex min-w-0 flex-1 flex-col items-start gap-2 sm:flex-row sm:items-center">
              <div className="w-full min-w-0 text-sm">
                <p dir="auto" className="line-clamp-2 font-medium wrap-anywhere">
                  {title}
                </p>
                <p dir="auto" className="truncate text-ink-muted">
                  {channelTitle}
                </p>
              </div>
              <Button size="sm" aria-label={texts.openVideo(title)} onClick={() => openVideo(id)}>
                <ExternalLink aria-hidden className="size-4" />
                {texts.open}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

const thumbnailLook = 'aspect-video w-32 shrink-0 rounded-sm bg-raised object-cover'

function Thumbnail({ url }: { url: string | null }) {
  const [isBroken, setBroken] = useState(false)
  if (url === null || isBroken) return <span aria-hidden className={thumbnailLook} />
  const size = { width: 128, height: 72 }
  return (
    <img
      src={url}
      alt=""
      {...size}
      loading="lazy"
      onError={() => setBroken(true)}
      className={thumbnailLook}
    />
  )
}

function openVideo(id: string): void {
  window.open(`https://www.youtube.com/watch?v=${encodeURIComponent(id)}`, '_blank', 'noopener')
}
