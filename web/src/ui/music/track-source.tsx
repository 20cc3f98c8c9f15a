import type { Track } from '@earshot/core/protocol/entities'
import type { ReactNode } from 'react'
import { sourceNames } from '../../texts/common.ts'
import { trackSource as texts } from '../../texts/now-playing.ts'
import { joinClasses } from '../class-names.ts'
import { parseUrl } from '../page/parse-url.ts'
import { SourceIcon } from './source-badge.tsx'

interface TrackSourceProps {
  track: Pick<Track, 'title' | 'source' | 'url'>
  className?: string
  /** Drawn instead of a small icon and the name. */
  children?: ReactNode
}

/** Names the source of a track. A provider's name links back to the track there, as the providers' terms require. */
export function TrackSource({ track, className, children }: TrackSourceProps) {
  const { source } = track
  const look = joinClasses('inline-flex items-center gap-1.5', className)
  const content = children ?? (
    <>
      <SourceIcon source={source} className="size-3.5 shrink-0" />
      {sourceNames[source]}
    </>
  )
  const page = providerPage(track)
  if (page === null) return <span className={look}>{content}</span>
  return (
    <a
      href={page}
      target="_blank"
      rel="noopener"
      aria-label={texts.at(track.title, sourceNames[source])}
      className={`${look} rounded-sm hover:text-ink hover:underline`}
    >
      {content}
    </a>
  )
}

/** Returns the address of a provider's page about a track, if it is a web address; null for the library. */
export function providerPage({ source, url }: Pick<Track, 'source' | 'url'>): string | null {
  if (source === 'library' || !url) return null
  const protocol = parseUrl(url)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? url : null
}
