import type { Track } from '@earshot/core/protocol/entities'
import { Disc3, Maximize2, Search, Volume2 } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { soundHere } from '../../../engine/state/room-state.ts'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { announceWhile } from '../../../ui/notices/announce.ts'
import { Artwork } from '../../../ui/music/artwork.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { onDemand } from '../../../ui/loading/on-demand.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { HintedButton } from '../../../ui/controls/hinted-button.tsx'
import { SourceBadge } from '../../../ui/music/source-badge.tsx'
import { TrackSource } from '../../../ui/music/track-source.tsx'
import { CannotPlayCount } from '../playability.tsx'
import { useAddedBy } from '../use-added-by.ts'
import { useMayQueue } from '../use-may-queue.ts'
import { useRoomCommand } from '../use-room-command.ts'
import { useControlsText } from '../use-controls-hint.ts'
import { useRoomActions, useRoomState } from '../use-room.ts'
import { StageBackdrop } from './backdrop.tsx'
import { LiveEqualiser } from './live-equaliser.tsx'
import { OpenTrack } from './open-track.tsx'
import { useSkipVotesText } from './skip-votes.tsx'
import { SoundNotices } from './sound-notices.tsx'

interface StageProps {
  titleId: string
  onFindMusic: () => void
  /** Opens the listen mode; not offered for a video, which nothing may cover. */
  onListen: () => void
  /** Drawn over the place of the cover: the people around it. */
  around?: ReactNode
  /** Draws the buttons of the reactions. */
  reactions?: (className?: string) => ReactNode
  /** The reactions that rise over the stage. */
  rising?: ReactNode
}

// Where the screen is wide, the buttons stand at its edge, and the cover keeps its size.
const besideCover =
  'beside:absolute beside:top-1/2 beside:end-3 beside:-translate-y-1/2 beside:flex-col low:static low:translate-y-0 low:flex-row low:justify-start tight:absolute tight:inset-x-0 tight:top-auto tight:bottom-1 tight:justify-center'

// A video needs 200 px of the height of a phone on its side, and the buttons stand beside or below it.
const lowVideo = 'low:flex-wrap low:gap-x-3 low:gap-y-1 low:px-2 low:py-1 low:pt-1'

// The notice that the code of the people is missing must be legible on any cover, and can be pressed.
const missingPeople =
  '*:[[role=alert]]:pointer-events-auto *:[[role=alert]]:rounded-xl *:[[role=alert]]:bg-page/85'

/** Shows the current track large (2.23), dark in both colour modes. Its height is the same in every state. */
export function Stage({ titleId, onFindMusic, onListen, around, reactions, rising }: StageProps) {
  const track = useRoomState((state) => state.track)
  const isVideo = useRoomState((state) => state.heardTrack?.source === 'youtube')
  const isBlocked = useIsSoundBlocked()
  return (
    <div className="relative isolate flex flex-col overflow-hidden bg-surface text-ink scheme-dark beside:min-h-full">
      <StageBackdrop url={track?.album_art ?? null} />
      <div
        inert={isBlocked && !isVideo}
        className={`relative flex flex-1 flex-col items-center justify-center gap-4 px-4 pt-11 pb-5 sm:px-6 beside:gap-3 beside:pt-9 beside:pb-2 low:flex-row ${isVideo ? lowVideo : 'low:gap-5 low:py-3 low:pt-9 tight:pb-12'}`}
      >
        <h2
          id={titleId}
          className={`absolute start-4 top-3 text-sm font-medium text-ink-muted sm:start-6 low:top-2 ${isVideo ? 'low:sr-only' : ''} ${track ? '' : 'sr-only'}`}
        >
          {nowPlaying.title}
        </h2>
        {track && !isVideo && <ListenButton onListen={onListen} />}
        <div className="relative flex w-full shrink-0 flex-col items-center low:w-auto">
          <div
            className={isVideo ? 'w-full' : `relative size-(--cover) ${track ? '' : 'low:w-52 tight:w-72'}`}
          >
            <StageArt track={track} isVideo={isVideo} onFindMusic={onFindMusic} />
            {!isVideo && around !== undefined && (
              <div className={`pointer-events-none absolute inset-0 ${missingPeople}`}>{around}</div>
            )}
          </div>
          {/* In the page from the start, as screen readers need a live region to be. */}
          <div
            aria-live="polite"
            className={
              isVideo
                ? 'mt-3 w-full max-w-136'
                : 'absolute bottom-2 z-10 w-[min(100%,34rem)] low:start-0 low:w-[calc(100vw-var(--spacing-rail)-3rem-2*var(--notch))] tight:-bottom-4'
            }
          >
            <SoundNotices />
          </div>
        </div>
        <div
          className={`flex w-full shrink-0 flex-col items-center gap-2 low:w-auto low:min-w-0 low:flex-1 low:items-start ${isVideo ? 'relative' : ''}`}
        >
          <TrackHeading track={track} />
          {reactions?.(isVideo ? undefined : besideCover)}
          {isVideo && rising}
        </div>
        {/* Over the whole stage, but not over a video, whose provider forbids it. */}
        {!isVideo && rising}
      </div>
      {isBlocked && <TapToListen isBelow={isVideo} />}
    </div>
  )
}

/** Most rooms play no video. */
export const VideoStage = onDemand(
  async () => (await import('./video-stage.tsx')).VideoStage,
  <div className="mx-auto aspect-video w-full max-w-[calc(var(--cover)*16/9)]" />,
)

interface StageArtProps {
  track: Track | null
  isVideo: boolean
  onFindMusic: () => void
}

/** The cover, the video, or what to do about there being neither. */
function StageArt({ track, isVideo, onFindMusic }: StageArtProps) {
  const mayQueue = useMayQueue()
  if (isVideo) return <VideoStage />
  if (!track) {
    return (
      <EmptyState
        icon={Disc3}
        title={nowPlaying.emptyTitle}
        text={mayQueue && nowPlaying.emptyText}
        className="size-full rounded-xl bg-page/40 ring-1 ring-line ring-inset low:[&>span]:hidden slim:[&>span]:hidden"
      >
        {mayQueue && (
          <Button size="sm" tone="primary" onClick={onFindMusic} className="low:hidden">
            <Search aria-hidden className="size-4" />
            {nowPlaying.findMusic}
          </Button>
        )}
      </EmptyState>
    )
  }
  return (
    <Artwork
      key={track.id}
      url={track.album_art}
      alt={nowPlaying.art(track.title)}
      size="var(--cover)"
      seed={track.album || track.title}
      className="animate-appear rounded-xl shadow-art"
    />
  )
}

/** Names the track; as high without one. Positioned, so that the shadow of the cover lies behind it. */
function TrackHeading({ track }: { track: Track | null }) {
  const isCueing = useRoomState((state) => state.timeline.isCueing)
  return (
    <div className="relative h-33 w-full max-w-200 shrink-0 text-center beside:h-26 beside:pointer-coarse:h-28 low:h-auto low:text-start low:pointer-coarse:h-auto">
      {track && (
        <>
          <h3
            dir="auto"
            title={track.title}
            className="line-clamp-2 text-2xl font-semibold tracking-tight wrap-anywhere beside:line-clamp-1 low:text-xl"
          >
            {track.title}
          </h3>
          <p className="flex max-h-7 flex-wrap items-baseline justify-center gap-x-2 overflow-hidden text-ink-muted low:justify-start">
            <span dir="auto" title={track.artist} className="max-w-full truncate text-lg">
              {track.artist}
            </span>
            <AddedBy trackId={track.id} />
          </p>
          <div className="mt-1.5 flex h-9 items-center justify-center gap-3 overflow-hidden text-sm text-ink-muted max-sm:h-auto max-sm:max-h-16 max-sm:min-h-9 max-sm:flex-wrap max-sm:gap-y-0.5 sm:pointer-coarse:h-11 low:justify-start">
            <TrackSource track={track}>
              <SourceBadge source={track.source} />
            </TrackSource>
            <LiveEqualiser className="size-4.5 shrink-0" />
            {isCueing ? (
              <span dir="auto" className="truncate">
                {nowPlaying.cueing}
              </span>
            ) : (
              <ControlsHint />
            )}
            <OpenTrack track={track} />
            <CannotPlayCount trackId={track.id} />
          </div>
        </>
      )}
    </div>
  )
}

/** Says who added the current track, where that is known; right after a change the room may still state the one before. */
function AddedBy({ trackId }: { trackId: string }) {
  const adder = useRoomState(({ room }) =>
    room?.currentTrack?.id === trackId ? room.current_added_by : null,
  )
  const text = useAddedBy(adder?.id ?? null, adder?.username ?? null)
  return (
    text !== null && (
      <span dir="auto" title={text} className="max-w-full truncate text-sm">
        {text}
      </span>
    )
  )
}

/** Tells how many voted to skip; otherwise who has the controls, unless it is the owner who looks (17.22b, 17.470). */
function ControlsHint() {
  const controls = useControlsText()
  const text = useSkipVotesText() ?? controls
  return text === undefined ? null : (
    <output className="truncate max-sm:order-last max-sm:basis-full">{text}</output>
  )
}

const useIsSoundBlocked = (): boolean =>
  useRoomState((state) => state.isSoundBlocked && soundHere(state) === 'on' && state.track !== null)

/** Asks for the tap where the browser blocks sound, in the flow of its container. */
export function BlockedSound() {
  return useIsSoundBlocked() && <TapToListen isBelow />
}

/**
 * Lies over the stage while the browser blocks sound, or below a video; one tap unblocks it. The stage below it stays
 * visible. Also read out: the stage is inert, and a screen reader would come to the button late.
 */
function TapToListen({ isBelow }: { isBelow: boolean }) {
  const { unlockSound } = useRoomActions()
  const run = useRoomCommand()
  useEffect(() => announceWhile(`${nowPlaying.tapToListen}. ${nowPlaying.tapToListenText}`), [])
  const place = isBelow ? 'relative pb-5' : 'absolute inset-0 z-20 bg-page/45'
  return (
    <div className={`grid animate-appear place-items-center p-6 text-center ${place}`}>
      <div className="flex flex-col items-center">
        <Button tone="primary" size="lg" onClick={() => run(unlockSound)}>
          <Volume2 aria-hidden className="size-5" />
          {nowPlaying.tapToListen}
        </Button>
        <p className="mt-3 rounded-full bg-page/85 px-4 py-1.5 text-sm text-balance">
          {nowPlaying.tapToListenText}
        </p>
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

function ListenButton({ onListen }: Pick<StageProps, 'onListen'>) {
  return (
    <HintedButton
      size="sm"
      label={nowPlaying.listen}
      hint={nowPlaying.listenHint}
      onClick={onListen}
      className="absolute end-3 top-1"
    >
      <Maximize2 aria-hidden />
    </HintedButton>
  )
}
