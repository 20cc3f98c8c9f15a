import type { z } from 'zod'
import type { Door } from './door-calls.ts'
import type { HttpApi } from './http-api.ts'

/** The id of the JSON script element that holds the data. */
export const pageDataId = 'page-data'

/** The header of the API's answers that names the page that the server serves. */
export const pageVersionHeader = 'x-page-version'

/** The signed-in user, as on the user's own page. */
export interface PageUser {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  /** Without an account. */
  isGuest: boolean
  /** Shows the way to the administration; the server checks the role of each call itself. */
  isAdmin?: boolean
}

/** Data that the server writes into the page, so that its first screen needs no request. */
export interface PageData {
  /** Names the build of the page; answers of the API state the current one in `pageVersionHeader`. */
  version?: string
  config: z.output<HttpApi['getConfig']['response']>
  /** Null without a session; missing where the server could not resolve it in time. */
  user?: PageUser | null
  /** Of the page's room; missing on other pages, and where there is no such room or the server could not read it in time. */
  door?: Door
}
