import { pageVersionHeader } from '@earshot/core/protocol/page-data'
import { createStore } from 'zustand/vanilla'
import { readPageData } from './page-data.ts'

/** Whether the server serves a newer page than the one that is open. */
export const pageVersion = createStore(() => ({ isOutdated: false }))

/** Compares the open page with the one that an answer of the server names. */
export function noteVersion(headers: Headers): void {
  const served = headers.get(pageVersionHeader)
  const own = readPageData()?.version
  if (served !== null && own !== undefined && served !== own) pageVersion.setState({ isOutdated: true })
}
