import type { FastifyRequest } from 'fastify'

/** Whether a request opens the page, as opposed to an API call or a request for one of its files. */
export function isPageRequest(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? ''
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  const isServed = /^\/(?:api|socket\.io|assets)(?:\/|$)/.test(path)
  return isReading && !isServed && (isNavigation(request) || !/\.[a-z0-9]+$/i.test(path))
}

export function isNavigation({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}
