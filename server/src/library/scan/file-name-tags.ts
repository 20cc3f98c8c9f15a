import { basename, extname } from 'node:path'

export interface NameTags {
  title: string
  /** Empty where the name does not say. */
  artist: string
}

/** '1 - ', '01-', '3. ', '07 ', '07_': a track number. The '50' of '50 Cent' is none. */
const trackNumber = /^(?:\d{1,3}\s+-\s+|\d{2,3}[-)]\s*|\d{1,3}\.\s+|0\d[\s_]+)/

/** What a file without tags says of itself: 'Artist - Title.ext', with or without a track number in it. */
export function tagsFromFileName(path: string): NameTags {
  const name = basename(path, extname(path)).trim()
  const words = readableName(name.replace(trackNumber, '')) || readableName(name)
  const [artist = '', ...rest] = words.split(/\s+[-–—]\s+/)
  const title = rest.join(' - ').replace(trackNumber, '').trim()
  return artist && title ? { title, artist } : { title: words, artist: '' }
}

function readableName(name: string): string {
  return name.replaceAll('_', ' ').replace(/\s+/g, ' ').trim()
}
