import { useState } from 'react'
import { pickTint } from './class-names.ts'

interface AvatarProps {
  name: string
  url: string | null
  /** Width and height in px. */
  size: number
  isHighlighted?: boolean
}

/** Shows a user's picture, or their initial. Hidden from screen readers because the name is shown beside it. */
export function Avatar({ name, url, size, isHighlighted = false }: AvatarProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const ring = isHighlighted ? 'ring-2 ring-brand ring-offset-2 ring-offset-surface' : ''
  const style = { width: size, height: size, fontSize: size * 0.42 }
  if (url !== null && url !== '' && url !== brokenUrl) {
    return (
      <img
        src={url}
        alt=""
        width={size}
        height={size}
        style={style}
        onError={() => setBrokenUrl(url)}
        className={`shrink-0 rounded-full object-cover ${ring}`}
      />
    )
  }
  return (
    <span
      aria-hidden
      style={style}
      className={`inline-grid shrink-0 place-items-center rounded-full font-semibold text-ink uppercase select-none ${pickTint(name)} ${ring}`}
    >
      {Array.from(name.trim())[0] ?? '?'}
    </span>
  )
}
