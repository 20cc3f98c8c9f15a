import { coverSources } from '../../../ui/music/cover-sources.ts'

const backdropPx = 10

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
        className="size-full scale-110 animate-appear opacity-80"
      />
      <div className="absolute inset-0 stage-veil" />
    </div>
  )
}

/** Draws the cover in a few pixels, which the browser enlarges smoothly: a filter of the style costs every frame over it. */
function drawSmall(canvas: HTMLCanvasElement | null, url: string): (() => void) | undefined {
  const context = canvas?.getContext('2d')
  if (!context) return undefined
  const image = new Image()
  image.src = coverSources(url, backdropPx).src
  context.filter = 'saturate(1.5)'
  const draw = () => context.drawImage(image, 0, 0, backdropPx, backdropPx)
  image.addEventListener('load', draw)
  return () => image.removeEventListener('load', draw)
}
