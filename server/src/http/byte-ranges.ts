import { Readable } from 'node:stream'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ByteSource, maxReadBytes, createReadBuffers } from '../library/serving/byte-source.ts'

const readBuffers = createReadBuffers()

/**
 * Whether a Range header is one valid range of bytes of a file of `size` bytes. Any other may be ignored (RFC 9110,
 * 14.2), so the whole file is sent: also for an end before the start, and for a suffix longer than the file.
 */
export function isPlainRange(range: string | undefined, size: number): boolean {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range?.trim() ?? '') ?? []
  if (first === '') return last !== '' && Number(last) <= size
  return last === '' || Number(first) <= Number(last)
}

/**
 * Sends a source's bytes, whole or in the range of the request, and nothing where the client has them (RFC 9110, 13-15).
 * @throws RangeError with `statusCode` 416 or 412, which the error handler answers
 */
export async function sendBytes(
  source: ByteSource,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { size, modifiedMs } = source
  const version = { etag: `"${source.tag}"`, modifiedMs }
  reply.header('accept-ranges', 'bytes').header('etag', version.etag)
  if (modifiedMs !== undefined) reply.header('last-modified', new Date(modifiedMs).toUTCString())
  const outcome = checkPreconditions(request.headers, version)
  if (outcome === 'not_modified') return reply.code(304).send()
  if (outcome === 'failed') throw statusError(412)

  const { range } = request.headers
  const ifRange = request.headers['if-range']?.toString()
  const isPart = request.method === 'GET' && isRangeCurrent(ifRange, version) && isPlainRange(range, size)
  const { start, end } = isPart ? readRange(range ?? '', size) : { start: 0, end: size }
  if (isPart && start >= end) throw statusError(416, { 'content-range': `bytes */${size}` })
  reply.header('content-length', end - start)
  if (isPart) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`)
  if (request.method === 'HEAD') return reply.send()
  // Players read in small ranges: one read and one write each, without a stream.
  if (end - start <= maxReadBytes) return reply.send(await readOnce(source, { start, end }, reply))
  const first = await source.read(start, start + maxReadBytes)
  return reply.send(streamBytes(source, { start, end }, first))
}

/** Reads into a buffer that is used again once the answer is handed to the system, or its connection is closed. */
async function readOnce(
  source: ByteSource,
  { start, end }: ByteRange,
  { raw }: FastifyReply,
): Promise<Uint8Array> {
  const buffer = readBuffers.take()
  const bytes = await source.read(start, end, buffer)
  // One that was closed before this does not say so again: its buffer is left to the garbage collector.
  raw.once('close', () => readBuffers.put(buffer))
  return bytes
}

interface ByteRange {
  start: number
  end: number
}

/** Reads the next bytes when the client has taken the last ones: a slow one holds those in memory and nothing else. */
function streamBytes(source: ByteSource, { start, end }: ByteRange, first: Uint8Array): Readable {
  async function* readOn(): AsyncGenerator<Uint8Array, void, undefined> {
    yield first
    for (let at = start + first.length; at < end;) {
      const bytes = await source.read(at, Math.min(end, at + maxReadBytes))
      yield bytes
      at += bytes.length
    }
  }
  return Readable.from(readOn(), { objectMode: false, highWaterMark: 1 })
}

function statusError(statusCode: 412 | 416, headers: Record<string, string> = {}): Error {
  return Object.assign(new RangeError('The request does not fit the file'), { statusCode, headers })
}

/** Reads a plain range. Empty where it is outside. */
function readRange(range: string, size: number): ByteRange {
  const [, first = '', last = ''] = /(\d*)-(\d*)/.exec(range) ?? []
  if (first === '') return { start: size - Number(last), end: size }
  return { start: Number(first), end: last === '' ? size : Math.min(Number(last) + 1, size) }
}

/** Identify a version of a resource. */
interface Validators {
  /** The strong entity tag, with its quotes. */
  etag: string
  /** ms since the epoch; undefined where it is unknown. */
  modifiedMs: number | undefined
}

/**
 * Evaluates the conditions of a GET or HEAD request (RFC 9110, 13.2.2): whether to send the resource, to say that the
 * client's copy is current (304), or that the condition has failed (412).
 */
export function checkPreconditions(
  headers: IncomingHttpHeaders,
  version: Validators,
): 'send' | 'not_modified' | 'failed' {
  const match = headers['if-match']
  if (match !== undefined) {
    if (!listsTag(match, version.etag)) return 'failed'
  } else if (isLater(version, headers['if-unmodified-since']) === true) return 'failed'

  const noneMatch = headers['if-none-match']
  // For reading, a weak tag of the same bytes is as good.
  if (noneMatch !== undefined) {
    return listsTag(noneMatch.replaceAll('W/', ''), version.etag) ? 'not_modified' : 'send'
  }
  return isLater(version, headers['if-modified-since']) === false ? 'not_modified' : 'send'
}

/** Whether If-Range names this version, so that a part of it fits to what the client has. True without the header. */
export function isRangeCurrent(ifRange: string | undefined, version: Validators): boolean {
  if (ifRange === undefined) return true
  if (/^(?:W\/)?"/.test(ifRange)) return ifRange === version.etag
  return seconds(version.modifiedMs) === Date.parse(ifRange)
}

function listsTag(list: string, etag: string): boolean {
  return list.trim() === '*' || list.split(',').some((tag) => tag.trim() === etag)
}

/** Whether the version is later than a date; null where either is unknown or invalid. */
function isLater({ modifiedMs }: Validators, date: string | undefined): boolean | null {
  const limitMs = Date.parse(date ?? '')
  return modifiedMs === undefined || Number.isNaN(limitMs) ? null : seconds(modifiedMs) > limitMs
}

/** Dates of HTTP have whole seconds. */
const seconds = (ms: number | undefined): number => Math.floor((ms ?? Number.NaN) / 1_000) * 1_000
