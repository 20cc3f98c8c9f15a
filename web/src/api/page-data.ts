import { pageDataId, type PageData, pageVersionHeader } from '@earshot/core/protocol/page-data'
import { createStore } from 'zustand/vanilla'

/** Returns what the server wrote into the page; null for a page without it, as the development server's. */
export function readPageData(): PageData | null {
  const text = document.getElementById(pageDataId)?.textContent
  return text ? (JSON.parse(text) as PageData) : null
}

/** The version of another page that the server has served since this one was loaded; null before. */
export const pageVersion = createStore<{ newer: string | null }>(() => ({ newer: null }))

/** Compares the open page with the one that an answer of the server names. */
export function noteVersion(headers: Headers): void {
  const served = headers.get(pageVersionHeader)
  const own = readPageData()?.version
  if (served !== null && own !== undefined && served !== own) pageVersion.setState({ newer: served })
}
