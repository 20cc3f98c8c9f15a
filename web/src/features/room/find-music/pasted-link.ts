/** Addresses without `https://`, as some people copy them. */
const bareAddress = /^(?:[a-z]+\.)?(?:youtube\.com|youtu\.be|spotify\.com|spotify\.link)\/\S/i
const spotifyUri = /^spotify:[a-z]+:\w+$/i

/**
 * Returns the link in what a user typed or pasted; null for words to search for. Only distinguishes links from words: the
 * server decides what a link leads to.
 */
export function readPastedLink(typed: string): string | null {
  // Apps share a link with words around it.
  for (const part of typed.trim().split(/\s+/)) {
    if (/^https?:\/\/\S/i.test(part) || spotifyUri.test(part)) return part
    if (bareAddress.test(part)) return `https://${part}`
  }
  return null
}
