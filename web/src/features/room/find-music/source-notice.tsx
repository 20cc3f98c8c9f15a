import type { Source } from '@earshot/core/protocol/entities'
import { Hourglass, Link2, Unplug } from 'lucide-react'
import { sourceNames } from '../../../texts/common.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatSentAt } from '../../../ui/format-time.ts'
import { useNow } from '../../../ui/use-now.ts'
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
  const { icon, title, text } = describe(access, sourceNames[source], nowMs)
  const needsProfile = access.kind === 'not_connected' || access.kind === 'must_reconnect'
  return (
    <EmptyState icon={icon} title={title} text={text}>
      {needsProfile && <ProfileLink />}
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          {texts.retry}
        </Button>
      )}
    </EmptyState>
  )
}

function describe(access: SearchObstacle, name: string, nowMs: number) {
  switch (access.kind) {
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
