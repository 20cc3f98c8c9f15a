import type { Track } from '@earshot/core/protocol/entities'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import { Ban } from 'lucide-react'
import type { ReactNode } from 'react'
import { forgetNoPremium } from '../../engine/device/device-settings.ts'
import { playability as texts } from '../../texts/find-music.ts'
import { Button, buttonLook } from '../../ui/controls/button.tsx'
import { providerPage } from '../../ui/music/track-source.tsx'
import { ProfileLink } from './profile-link.tsx'
import { useRoomState } from './use-room.ts'

/** Shows the owner how many members cannot play a track (15.36). */
export function CannotPlayCount({ trackId }: { trackId: string }) {
  const isOwner = useRoomState((state) => state.isOwner)
  const count = useRoomState((state) => state.unplayable[trackId] ?? 0)
  if (!isOwner || count === 0) return null
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-caution">
      <Ban aria-hidden className="size-3.5 shrink-0" />
      <span>{texts.count(count)}</span>
    </span>
  )
}

/** Returns why this listener cannot play a track; null if they can, as far as is known. */
export function useUnplayableReason(trackId: string): UnplayableReason | null {
  return useRoomState((state) => state.ownUnplayable[trackId] ?? null)
}

/** Returns the texts about a reason. A newer server may send further ones. */
export function describeUnplayable(
  reason: UnplayableReason,
): Record<'badge' | 'short' | 'title' | 'text', string> {
  return texts.reasons[reason] ?? texts.otherReason
}

/** The link that helps against a reason; null where none does. */
export function remedyLink(reason: UnplayableReason, track: Track): ReactNode {
  switch (reason) {
    case 'not_connected':
      return <ProfileLink />
    case 'no_premium':
      return (
        <>
          <OutsideLink href="https://www.spotify.com/premium/" label={texts.premium} />
          <TryAgainButton />
        </>
      )
    case 'live':
    case 'not_embeddable': {
      const page = providerPage(track)
      return page === null ? null : <OutsideLink href={page} label={texts.watch} />
    }
    default:
      return null
  }
}

/** For somebody who has Premium by now. The page is loaded anew, since Spotify's script keeps what it found. */
function TryAgainButton() {
  const tryAgain = () => {
    forgetNoPremium()
    window.location.reload()
  }
  return (
    <Button size="sm" onClick={tryAgain}>
      {texts.tryAgain}
    </Button>
  )
}

function OutsideLink({ href, label }: { href: string; label: string }) {
  return (
    <a href={href} target="_blank" rel="noopener" className={buttonLook({ size: 'sm', tone: 'soft' })}>
      {label}
    </a>
  )
}
