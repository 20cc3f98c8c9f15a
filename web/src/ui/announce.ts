let region: HTMLElement | null = null

/** Reads lines out to screen readers, without showing them. The same text twice is read twice. */
export function announce(...lines: string[]): void {
  if (!region?.isConnected) {
    region = document.createElement('div')
    region.setAttribute('role', 'status')
    region.className = 'sr-only'
    document.body.append(region)
  }
  const paragraphs = lines.map((line) => {
    const paragraph = document.createElement('p')
    paragraph.textContent = line
    return paragraph
  })
  region.replaceChildren(...paragraphs)
}
