import type { Source } from '@earshot/core/protocol/entities'
import type { ReactNode } from 'react'
import { integrations as texts } from '../../texts/profile.ts'
import { sourceNames } from '../../texts/common.ts'
import { Badge } from '../../ui/badge.tsx'
import { SourceIcon } from '../../ui/music/source-badge.tsx'

interface IntegrationProps {
  source: Source
  /** Null until it is known. */
  isConnected: boolean | null
  children: ReactNode
}

/** One provider with its status. */
export function Integration({ source, isConnected, children }: IntegrationProps) {
  const titleId = `integration-${source}`
  return (
    <section aria-labelledby={titleId}>
      <header className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h3 id={titleId} className="flex items-center gap-2.5 font-semibold">
          <SourceIcon source={source} className={source === 'youtube' ? 'text-video' : 'text-brand-text'} />
          {sourceNames[source]}
        </h3>
        {isConnected !== null && (
          <Badge tone={isConnected ? 'brand' : 'neutral'}>
            {isConnected ? texts.connected : texts.notConnected}
          </Badge>
        )}
      </header>
      {children}
    </section>
  )
}
