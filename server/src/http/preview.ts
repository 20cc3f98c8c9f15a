import type { Door } from '@earshot/core/protocol/door-calls'
import { limits } from '@earshot/core/limits'
import type { Language } from '@earshot/core/protocol/languages'
import { encode } from 'html-entities'
import { describeDoor } from '../texts/previews.ts'

const product = 'Earshot'

/** Removes the general title and description of a page, so that those of a room can take their place. */
export function withoutTitle(html: string): string {
  return html.replace(/<title>[^<]*<\/title>/, '').replace(/<meta\s+name="description"[^>]*>/, '')
}

/**
 * Returns the title, description, and Open Graph and Twitter tags of a room's page, which messengers show as the preview
 * of its link. `pageUrl` is the page's address. Of a private room they contain nothing but its name.
 */
export function previewTags(door: Door, pageUrl: URL, language: Language): string {
  const description = describeDoor(door, language)
  const image = imageOf(door, pageUrl)
  const tags: [string, string, string][] = [
    ['name', 'description', description],
    ['property', 'og:site_name', product],
    ['property', 'og:type', 'website'],
    ['property', 'og:title', door.name],
    ['property', 'og:description', description],
    ['property', 'og:url', pageUrl.href],
    ...(image === null ? [] : ([['property', 'og:image', image]] satisfies [string, string, string][])),
    ['name', 'twitter:card', image === null ? 'summary' : 'summary_large_image'],
  ]
  const title = `<title>${encode(`${door.name} · ${product}`)}</title>`
  return (
    title +
    tags.map(([kind, name, content]) => `<meta ${kind}="${name}" content="${encode(content)}">`).join('')
  )
}

/** Resolves the cover's address; null without one, or where it is no web address. */
function imageOf({ track }: Door, pageUrl: URL): string | null {
  if (!track?.art || !URL.canParse(track.art, pageUrl.href)) return null
  const url = new URL(track.art, pageUrl)
  if (url.origin === pageUrl.origin) url.searchParams.set('size', String(limits.coverSizesPx.at(-1)))
  return /^https?:$/.test(url.protocol) ? url.href : null
}
