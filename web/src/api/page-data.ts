import { pageDataId, type PageData } from '@earshot/core/protocol/page-data'

/** Returns what the server wrote into the page; null for a page without it, as the development server's. */
export function readPageData(): PageData | null {
  const text = document.getElementById(pageDataId)?.textContent
  return text ? (JSON.parse(text) as PageData) : null
}
