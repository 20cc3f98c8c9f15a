import { Music2 } from 'lucide-react'
import { useState } from 'react'
import { pickTint } from './tint.ts'

interface ArtworkProps {
  url: string | null
  /** Empty where the title stands beside it. */
  alt: string
  /** Its side: in px, or any CSS length. */
  size: number | string
  /** Colours the placeholder. */
  seed: string
  className?: string
}

/** A cover, or a placeholder of the same size where it is missing or broken. */
export function Artwork({ url, alt, size, seed, className = 'rounded-sm' }: ArtworkProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const style = { width: size, height: size }
  if (url !== null && url !== '' && url !== brokenUrl) {
    return (
      <img
        src={url}
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
