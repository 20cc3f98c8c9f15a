/** Addresses without `https://`, as some people copy them. */
const bareAddress = /^(?:[a-z]+\.)?(?:youtube\.com|youtu\.be|spotify\.com|spotify\.link)\/\S/i
const spotifyUri = /^spotify:[a-z]+:\w+$/i

/** Addresses that lead to no music, and would be no words to search for either. */
const foreignAddress = /^(?:javascript|data|file|blob|ftp|mailto):\S/i

/**
 * Returns the links in what a user typed or pasted, each once; none for words to search for. Only distinguishes links from
 * words: the server decides what a link leads to.
 */
export function readPastedLinks(typed: string): string[] {
  // Apps share a link with words around it.
  const links = typed.trim().split(/\s+/).flatMap(toLink)
  return [...new Set(links)]
}

function toLink(part: string): string[] {
  if (bareAddress.test(part)) return [`https://${part}`]
  const isLink = /^https?:\/\/\S/i.test(part) || spotifyUri.test(part) || foreignAddress.test(part)
  return isLink ? [part] : []
}
