import type { PageData } from '@earshot/core/protocol/page-data'
import { hasCode } from '@earshot/core/protocol/errors'
import { environment as texts } from '../../texts/environment.ts'

/** A setting that a separately hosted page lacks, or the value that it uses instead. */
export interface Setting {
  name: string
  text: string
}

export interface Settings {
  missing: Setting[]
  fallbacks: Setting[]
}

/** Finds what the page lacks (2.39b), from the server's settings or from why they could not be read. */
export function findSettings(
  answer: { config: PageData['config'] } | { error: unknown },
  origin: string,
): Settings {
  if ('error' in answer) {
    const needsKey = hasCode(answer.error, 'client_key_required')
    const missing = needsKey
      ? { name: texts.clientKey, text: texts.clientKeyText }
      : { name: texts.backendUrl, text: texts.backendUrlText(origin) }
    return { missing: [missing], fallbacks: [] }
  }
  const { socketServers, spotifyRedirectUri, spotifyClientId } = answer.config
  const fallbacks: Setting[] = []
  if (socketServers.length === 0) fallbacks.push({ name: texts.socketServer, text: origin })
  if (spotifyClientId && !spotifyRedirectUri)
    fallbacks.push({ name: texts.redirectUri, text: `${origin}/callback` })
  return { missing: [], fallbacks }
}
