import { pageDataId, type PageData, pageVersionHeader } from '@earshot/core/protocol/page-data'
import { createStore } from 'zustand/vanilla'

/** Returns what the server wrote into the page; null for a page without it, as the development server's. */
export function readPageData(): PageData | null {
  const text = document.getElementById(pageDataId)?.textContent
  return text ? (JSON.parse(text) as PageData) : null
}

/** The version of the page that the server serves by its latest answer; null where it is the open one, and before. */
export const pageVersion = createStore<{ newer: string | null }>(() => ({ newer: null }))

/** Compares the open page with the one that an answer of the server names. */
export function noteVersion(headers: Headers): void {
  const served = headers.get(pageVersionHeader)
  const own = readPageData()?.version
  if (served === null || own === undefined) return
  const newer = served === own ? null : served
  if (newer !== pageVersion.getState().newer) pageVersion.setState({ newer })
}
