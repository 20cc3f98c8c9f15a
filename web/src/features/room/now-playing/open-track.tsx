import type { Track } from '@earshot/core/protocol/entities'
import { ExternalLink } from 'lucide-react'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { buttonLook } from '../../../ui/controls/button.tsx'
import { providerPage } from '../../../ui/music/track-source.tsx'
import { useRoomState } from '../use-room.ts'

/** The owner's button that opens the current track at its provider (2.23e). */
export function OpenTrack({ track }: { track: Track }) {
  const isOwner = useRoomState((state) => state.isOwner)
  const address = openAddress(track)
  if (!isOwner || address === null) return null
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener"
      className={buttonLook({ tone: 'secondary', size: 'sm' })}
    >
      <ExternalLink aria-hidden className="size-4" />
      {nowPlaying.open}
    </a>
  )
}

const spotifyUri = /^spotify:[a-z]+:\w+$/

/** Returns what 'Open' opens: a Spotify track's uri, a video's web address; null for other addresses and the library. */
export function openAddress({ source, uri, url }: Pick<Track, 'source' | 'uri' | 'url'>): string | null {
  if (source === 'spotify' && uri && spotifyUri.test(uri)) return uri
  return providerPage({ source, url })
}
