/** Part of the page from the start: screen readers ignore a region that comes together with its text. */
const region = document.createElement('div')
region.setAttribute('aria-live', 'polite')
region.className = 'sr-only'
document.body.append(region)

let latest: () => void = () => undefined

/** Reads lines out to screen readers, without showing them. The same text twice is read twice. */
export function announce(...lines: string[]): void {
  latest()
  latest = announceWhile(...lines)
}

/** Reads lines out, which stay among what is read out until the returned function takes them back. */
export function announceWhile(...lines: string[]): () => void {
  // Other code, such as a browser extension, may have emptied the page.
  if (!region.isConnected) document.body.append(region)
  const paragraphs = lines.map((line) => {
    const paragraph = document.createElement('p')
    paragraph.textContent = line
    return paragraph
  })
  region.append(...paragraphs)
  return () => {
    for (const paragraph of paragraphs) paragraph.remove()
  }
}
