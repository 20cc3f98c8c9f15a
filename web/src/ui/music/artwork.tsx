import { Music2 } from 'lucide-react'
import { useState } from 'react'
import { pickTint } from '../class-names.ts'
import { coverSources } from './cover-sources.ts'

interface ArtworkProps {
  url: string | null
  /** Empty if the title is shown beside it. */
  alt: string
  /** Width and height, in px or any CSS length. */
  size: number | string
  /** Selects the colour of the placeholder. */
  seed: string
  className?: string
}

/** Shows a cover, or a placeholder of the same size if it is missing or fails to load. */
export function Artwork({ url, alt, size, seed, className = 'rounded-sm' }: ArtworkProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const style = { width: size, height: size }
  if (url !== null && url !== '' && url !== brokenUrl) {
    return (
      <img
        {...coverSources(url, size)}
        alt={alt}
        width={size}
        height={size}
        style={style}
        decoding="async"
        onError={() => setBrokenUrl(url)}
        className={`shrink-0 bg-raised object-cover ${className}`}
      />
    )
  }
  return (
    <span
      role={alt === '' ? undefined : 'img'}
      aria-label={alt === '' ? undefined : alt}
      aria-hidden={alt === '' || undefined}
      style={style}
      className={`inline-grid shrink-0 place-items-center text-ink ${pickTint(seed)} ${className}`}
    >
      <Music2 aria-hidden className="size-[38%] opacity-70" />
    </span>
  )
}
