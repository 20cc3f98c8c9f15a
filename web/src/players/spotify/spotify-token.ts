import { callApi } from '../../api/call-api.ts'
import { serverDateNow } from '../../wall-clock.ts'

/** A token is replaced this long before it expires. */
const spareMs = 60_000

/** The listener's Spotify access token, kept in memory until shortly before it expires. */
export class SpotifyToken {
  #known: { accessToken: string; expiresAt: number } | null = null
  /** Refused by Spotify: the server, which may keep it, is to replace it. */
  #rejected: string | undefined
  #request: Promise<string> | null = null

  /** Resolves to a valid token. Rejects with the server's AppError, for example `not_connected`. */
  async get(): Promise<string> {
    const isValid = this.#known !== null && serverDateNow() < this.#known.expiresAt - spareMs
    if (this.#known && isValid) return this.#known.accessToken
    this.#request ??= this.#fetch().finally(() => {
      this.#request = null
    })
    return this.#request
  }

  /** Forgets a token that Spotify refused. */
  drop(accessToken: string): void {
    if (this.#known?.accessToken !== accessToken) return
    this.#known = null
    this.#rejected = accessToken
  }

  async #fetch(): Promise<string> {
    this.#known = await callApi('POST /api/spotify/token', { body: { rejected: this.#rejected } })
    this.#rejected = undefined
    return this.#known.accessToken
  }
}
