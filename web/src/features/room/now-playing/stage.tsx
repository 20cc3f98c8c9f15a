import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { Disc3, Volume2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { soundHere } from '../../../engine/state/room-state.ts'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { Artwork } from '../../../ui/artwork.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Equaliser } from '../../../ui/equaliser.tsx'
import { SourceBadge } from '../../../ui/source-badge.tsx'
import { TrackSource } from '../../../ui/track-source.tsx'
import { CannotPlayCount } from '../playability.tsx'
import { useRoomCommand } from '../use-room-command.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'
import { CoverView, StageBackdrop } from './cover.tsx'
import { OpenTrack } from './open-track.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { SoundNotices } from './sound-notices.tsx'
import { Transport } from './transport.tsx'

/** For observers of whether the stage is on screen. */
export const stageId = 'stage'

/** Shows the current track with its controls (2.23), dark in both colour modes; `badge` stands beside the title. */
export function Stage({ badge }: { badge: ReactNode }) {
  const track = useRoomState((state) => state.track)
  return (
    <section
      id={stageId}
      aria-labelledby="now-playing-title"
      className="relative isolate overflow-hidden rounded-2xl bg-surface p-5 text-ink scheme-dark sm:p-8"
    >
      <StageBackdrop url={track?.album_art ?? null} />
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 id="now-playing-title" className="text-sm font-medium text-ink-muted">
          {nowPlaying.title}
        </h2>
        {badge}
      </div>
      {track ? <TrackHeading track={track} /> : <NoTrack />}
      <SoundNotices />
      <ProgressBar />
      <Transport />
      <TapToListen />
    </section>
  )
}

function TrackHeading({ track }: { track: Track }) {
  const isPlaying = useRoomState((state) => state.timeline.isPlaying)
  const isCueing = useRoomState((state) => state.timeline.isCueing)
  return (
    <div className="mt-4 mb-6 flex gap-5 max-sm:flex-col max-sm:items-center max-sm:text-center sm:items-end sm:gap-8">
      <div className="group relative shrink-0">
        <Artwork
          key={track.id}
          url={track.album_art}
          alt={nowPlaying.art(track.title)}
          size={limits.albumArtLargePx}
          seed={track.album || track.title}
          className="animate-appear rounded-lg shadow-art"
        />
        {track.source !== 'youtube' && <CoverView track={track} />}
      </div>
      <div className="max-w-full min-w-0 sm:flex-1">
        <p className="flex items-center gap-3 max-sm:justify-center">
          <TrackSource track={track}>
            <SourceBadge source={track.source} />
          </TrackSource>
          <Equaliser isPlaying={isPlaying} className="size-4.5" />
          {isCueing && <span className="text-sm text-ink-muted">{nowPlaying.cueing}</span>}
        </p>
        <h3 className="mt-3 line-clamp-2 pb-1 text-headline font-semibold tracking-tight wrap-anywhere">
          {track.title}
        </h3>
        <p className="mt-0.5 truncate text-lg text-ink-muted">{track.artist}</p>
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden max-sm:justify-center">
          <OpenTrack track={track} />
          <CannotPlayCount trackId={track.id} />
        </div>
      </div>
    </div>
  )
}

function NoTrack() {
  return (
    <EmptyState
      icon={Disc3}
      title={nowPlaying.emptyTitle}
      text={nowPlaying.emptyText}
      className="mt-4 mb-6 min-h-[150px]"
    />
  )
}

/** Covers the stage while the browser blocks sound; one tap unblocks it. */
function TapToListen() {
  const { unlockSound } = useRoomActions()
  const run = useRoomCommand()
  const isShown = useRoomState(
    (state) => state.isSoundBlocked && soundHere(state) === 'on' && state.track !== null,
  )
  if (!isShown) return null
  return (
    <div className="absolute inset-0 z-10 grid animate-appear place-items-center bg-page/75 p-6 text-center backdrop-blur-md">
      <div>
        <Button tone="primary" size="lg" onClick={() => run(unlockSound)}>
          <Volume2 aria-hidden className="size-5" />
          {nowPlaying.tapToListen}
        </Button>
        <p className="mt-4 text-sm text-balance text-ink-muted">{nowPlaying.tapToListenText}</p>
      </div>
    </div>
  )
}

/** Announces a change of track to screen readers. */
export function TrackAnnouncer() {
  const track = useRoomState((state) => state.track)
  return (
    <p aria-live="polite" className="sr-only">
      {track ? nowPlaying.announce(track.title, track.artist) : nowPlaying.announceNothing}
    </p>
  )
}
