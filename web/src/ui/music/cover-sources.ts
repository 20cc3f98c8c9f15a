import { limits } from '@earshot/core/limits'

/** The attributes of an image that let the browser choose a size. */
interface CoverSources {
  src: string
  srcSet?: string
}

const densities = [1, 2, 3]
const sizes = limits.coverSizesPx

/**
 * Returns the addresses of a cover for its size on the page: in px, or a CSS length for one that fills the page. The
 * server makes sizes of its own covers; others have one address.
 */
export function coverSources(url: string, shownSize: number | string): CoverSources {
  if (!url.startsWith('/api/tracks/')) return { src: url }
  const inSize = (size: number): string => `${url}${url.includes('?') ? '&' : '?'}size=${size}`
  const largest = sizes.at(-1) ?? 0
  if (typeof shownSize === 'string') return { src: inSize(largest) }
  const sizeFor = (density: number): number => sizes.find((size) => size >= shownSize * density) ?? largest
  const srcSet = densities.map((density) => `${inSize(sizeFor(density))} ${density}x`).join(', ')
  return { src: inSize(sizeFor(1)), srcSet }
}
