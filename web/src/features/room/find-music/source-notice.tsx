import type { Source } from '@earshot/core/protocol/entities'
import { Hourglass, Link2, Lock, Unplug } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { sourceNames, topBar } from '../../../texts/common.ts'
import { findMusic as texts, playability } from '../../../texts/find-music.ts'
import { Button, buttonLook } from '../../../ui/controls/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatSentAt } from '../../../ui/music/format-time.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { ProfileLink } from '../profile-link.tsx'
import type { SearchObstacle } from './search-access.ts'

interface SourceNoticeProps {
  source: Source
  access: SearchObstacle
  /** Makes the refused search again. */
  onRetry?: () => void
}

/** Explains why a source cannot be searched, and what works instead. */
export function SourceNotice({ source, access, onRetry }: SourceNoticeProps) {
  const nowMs = useNow()
  const { icon, title, text } = describe(access, source, nowMs)
  const needsProfile = access.kind === 'not_connected' || access.kind === 'must_reconnect'
  return (
    <EmptyState icon={icon} title={title} text={text}>
      {needsProfile && <ProfileLink />}
      {access.kind === 'account_required' && <SignInLink />}
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          {texts.retry}
        </Button>
      )}
    </EmptyState>
  )
}

function SignInLink() {
  const { pathname, hash } = useLocation()
  return (
    <Link to="/login" state={{ from: pathname + hash }} className={buttonLook({ size: 'sm', tone: 'soft' })}>
      {topBar.signIn}
    </Link>
  )
}

function describe(access: SearchObstacle, source: Source, nowMs: number) {
  const name = sourceNames[source]
  switch (access.kind) {
    case 'account_required': {
      // Guests cannot hear Spotify, so its links are of no use to them.
      const text = source === 'spotify' ? playability.reasons.not_connected.text : texts.linksWorkForGuests
      return { icon: Lock, title: texts.searchNeedsAccount(name), text }
    }
    case 'links_only':
      return { icon: Link2, title: texts.linksOnly(name), text: texts.linksOnlyText(name) }
    case 'paused': {
      const { untilMs } = access
      const text = untilMs === null ? texts.pausedText : texts.pausedUntil(formatSentAt(untilMs, nowMs))
      return { icon: Hourglass, title: texts.paused(name), text }
    }
    case 'not_connected':
      return { icon: Unplug, title: texts.notConnected(name) }
    case 'must_reconnect':
      return { icon: Unplug, title: texts.mustReconnect(name), text: texts.mustReconnectText(name) }
  }
}
