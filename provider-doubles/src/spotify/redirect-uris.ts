const loopbackLiterals = ['127.0.0.1', '[::1]']

/**
 * Checks whether an app may use a redirect address: https, or http on a loopback literal; never `localhost`. It must be
 * registered to the letter, except that a loopback literal registered without a port accepts any port.
 */
export function acceptsRedirectUri(registered: readonly string[], given: string): boolean {
  if (!isSecureRedirectUri(given)) return false
  return registered.some(
    (uri) => uri === given || (!hasPort(uri) && isLoopback(uri) && withoutPort(given) === uri),
  )
}

/** Checks the rules that hold for every redirect address, registered or not. */
export function isSecureRedirectUri(given: string): boolean {
  const url = URL.parse(given)
  if (!url || url.hostname === 'localhost' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackLiterals.includes(url.hostname))
}

const isLoopback = (uri: string): boolean => loopbackLiterals.includes(URL.parse(uri)?.hostname ?? '')

const hasPort = (uri: string): boolean => URL.parse(uri)?.port !== ''

/** Removes the port and nothing else, so that the rest is still compared to the letter. */
const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1')
