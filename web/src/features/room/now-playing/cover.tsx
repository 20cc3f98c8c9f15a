import { Dialog } from '@base-ui/react/dialog'
import type { Track } from '@earshot/core/protocol/entities'
import { Maximize2, X } from 'lucide-react'
import { common } from '../../../texts/common.ts'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { Artwork } from '../../../ui/artwork.tsx'
import { coverSources } from '../../../ui/cover-sources.ts'
import { IconButton } from '../../../ui/icon-button.tsx'

/** Opens the cover full screen. */
export function CoverView({ track }: { track: Track }) {
  return (
    <Dialog.Root>
      <Dialog.Trigger
        render={<IconButton size="sm" label={nowPlaying.enlarge} title={nowPlaying.enlarge} />}
        className="absolute top-1.5 right-3"
      >
        <Maximize2 aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Popup
          data-fills-screen
          className="fixed inset-0 isolate z-50 flex flex-col items-center justify-center gap-8 overflow-hidden bg-page p-6 text-center text-ink scheme-dark transition-opacity duration-200 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0"
        >
          <StageBackdrop url={track.album_art} />
          <Artwork
            url={track.album_art}
            alt={nowPlaying.art(track.title)}
            size="min(86vw, 66dvh)"
            seed={track.album || track.title}
            className="rounded-xl shadow-art"
          />
          <div className="max-w-full">
            <Dialog.Title className="truncate text-display font-semibold tracking-tight">
              {track.title}
            </Dialog.Title>
            <Dialog.Description className="mt-2 truncate text-xl text-ink-muted">
              {track.artist}
            </Dialog.Description>
          </div>
          <Dialog.Close
            render={<IconButton tone="plain" label={common.close} title={common.close} />}
            className="absolute top-4 right-4"
          >
            <X aria-hidden />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const backdropPx = 10

/** Draws the cover in a few pixels, which the browser enlarges smoothly: a blur filter costs every frame over it. */
function drawSmall(canvas: HTMLCanvasElement | null, url: string): (() => void) | undefined {
  const context = canvas?.getContext('2d')
  if (!context) return undefined
  const image = new Image()
  image.src = coverSources(url, backdropPx).src
  const draw = () => context.drawImage(image, 0, 0, backdropPx, backdropPx)
  image.addEventListener('load', draw)
  return () => image.removeEventListener('load', draw)
}

/** Draws the cover large, blurred and darkened behind the stage, or a glow in the brand colour without a cover. */
export function StageBackdrop({ url }: { url: string | null }) {
  if (url === null) return <div aria-hidden className="absolute inset-0 -z-20 opacity-60 hero-glow" />
  return (
    <div aria-hidden className="absolute inset-0 -z-20">
      <canvas
        key={url}
        ref={(canvas) => drawSmall(canvas, url)}
        width={backdropPx}
        height={backdropPx}
        className="size-full scale-110 animate-appear opacity-80 saturate-150"
      />
      <div className="absolute inset-0 stage-veil" />
    </div>
  )
}
