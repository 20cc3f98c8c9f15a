import { loadAuthClient } from './auth-client.ts'

/** Whether the browser has refused the cookie of the session that the server has just begun. False where that is unknown. */
export async function isCookieRefused(): Promise<boolean> {
  try {
    const client = await loadAuthClient()
    if (client.$store.atoms['session']?.get().data) return false
    const { data, error } = await client.getSession()
    return data === null && error === null
  } catch {
    return false
  }
}
