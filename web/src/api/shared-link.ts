import { useQuery } from '@tanstack/react-query'
import { configQuery } from './account.ts'

/** Returns the origin of links that people share: the first address of the server, or that of the page. */
export function useSharedOrigin(): string {
  const { data: config } = useQuery(configQuery)
  return config?.publicUrl ?? window.location.origin
}

/** Whether a link leads each computer to itself. */
export function isLoopback(link: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/.test(link)
}

/** A server that knows no other address of its own states the loopback one: that of the page may lead further. */
export function toSharedLink(link: string): string {
  return isLoopback(link) ? link.replace(/^https?:\/\/[^/]+/, window.location.origin) : link
}
