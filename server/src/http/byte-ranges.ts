import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Bytes that are made as they are read. */
export interface ByteSource {
  size: number
  /** Identifies the bytes. */
  tag: string
  /** Reads bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/**
 * Whether a Range header is one valid range of bytes of a file of `size` bytes. Any other may be ignored (RFC 9110,
 * 14.2), so the whole file is sent: also for an end before the start, and for a suffix longer than the file.
 */
export function isPlainRange(range: string | undefined, size: number): boolean {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range?.trim() ?? '') ?? []
  if (first === '') return last !== '' && Number(last) <= size
  return last === '' || Number(first) <= Number(last)
}

/** Sends a source's bytes, whole or in the range of the request, and nothing where the client has them (RFC 9110, 13-15). */
export function sendBytes(source: ByteSource, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { size } = source
  const tag = `"${source.tag}"`
  reply.header('accept-ranges', 'bytes').header('etag', tag)
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()

  const isCurrent = (request.headers['if-range'] ?? tag) === tag
  const isPart = request.method === 'GET' && isCurrent && isPlainRange(request.headers.range, size)
  const { start, end } = isPart ? readRange(request.headers.range ?? '', size) : { start: 0, end: size }
  if (start >= end) {
    const headers = { 'content-range': `bytes */${size}` }
    throw Object.assign(new RangeError('The range is outside of the file'), { statusCode: 416, headers })
  }
  reply.header('content-length', end - start)
  if (isPart) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`)
  if (request.method === 'HEAD') return reply.send()
  // One chunk at a time: they are large.
  return reply.send(Readable.from(source.read(start, end), { objectMode: false, highWaterMark: 1 }))
}

/** Reads a plain range. Empty where it is outside. */
function readRange(range: string, size: number): { start: number; end: number } {
  const [, first = '', last = ''] = /(\d*)-(\d*)/.exec(range) ?? []
  if (first === '') return { start: size - Number(last), end: size }
  return { start: Number(first), end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
