import type { Source } from '@earshot/core/protocol/entities'
import { AudioLines, LibraryBig, SquarePlay, type LucideIcon } from 'lucide-react'
import { sourceNames } from '../../texts/common.ts'
import { Badge } from '../badge.tsx'

const icons: Record<Source, LucideIcon> = { library: LibraryBig, spotify: AudioLines, youtube: SquarePlay }
const tones = { library: 'neutral', spotify: 'brand', youtube: 'video' } as const

/** Names the source of a track or room. */
export function SourceBadge({ source }: { source: Source }) {
  return (
    <Badge tone={tones[source]}>
      <SourceIcon source={source} />
      {/* An element: React would insert the next icon before a text that a translating browser replaced. */}
      <span>{sourceNames[source]}</span>
    </Badge>
  )
}

export function SourceIcon({ source, className }: { source: Source; className?: string }) {
  const Icon = icons[source]
  return <Icon aria-hidden className={className} />
}
