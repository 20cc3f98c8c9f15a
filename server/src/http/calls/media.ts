import fastifyStatic from '@fastify/static'
import { dayMs } from '@earshot/core/clock'
import { AppError, toWireError } from '@earshot/core/protocol/errors'
import { parseInput } from '@earshot/core/protocol/parse-input'
import { artQuerySchema, httpApi } from '@earshot/core/protocol/http-api'
import { z } from 'zod'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AudioAccess } from '../../accounts/audio-access.ts'
import type { CoverGrants } from '../../crypto/cover-grants.ts'
import type { Db } from '../../db/database.ts'
import { findLibraryFile, type LibraryFile } from '../../db/catalogue/library-files.ts'
import { isTrackPublic } from '../../db/tracks.ts'
import type { EventBus } from '../../events.ts'
import type { CoverArt } from '../../library/covers/cover-art.ts'
import { isUnreadable } from '../../library/scan/music-folder.ts'
import type { SeekableAudio } from '../../library/seekable/seekable-audio.ts'
import type { ByteSource } from '../../library/serving/byte-source.ts'
import { FileChangedError } from '../../library/serving/open-files.ts'
import type { OriginalAudio, OriginalFile } from '../../library/serving/original-audio.ts'
import { limitAnswersUnderWay } from '../../limits/answers-under-way.ts'
import { sendBytes } from '../byte-ranges.ts'
import { errorBodySchema } from '../http-call.ts'
import { serverLimits } from '../../server-limits.ts'

interface MediaParts {
  db: Db
  audioAccess: AudioAccess
  coverArt: CoverArt
  coverGrants: Pick<CoverGrants, 'admits'>
  originalAudio: OriginalAudio
  seekableAudio: SeekableAudio
  events: Pick<EventBus, 'emit'>
  /** How many answers of audio to one user may be under way. Set by tests only. */
  audioAnswersMax?: number
}

const yearMs = 365 * dayMs
/** While a page reads a file range by range, the file is looked for once in this time. */
const recheckMs = 1_000

/**
 * Serves audio and covers of library tracks (`trackAudioPath`, `trackStreamPath`, `trackArtPath`). Requests name
 * a track id; file paths come from the catalogue only. Register before the page.
 */
export function registerMediaCalls(server: FastifyInstance, parts: MediaParts): void {
  const underWay = limitAnswersUnderWay(parts.audioAnswersMax ?? serverLimits.audioAnswersPerUser)
  /** Sends a track's audio, and counts the answer. A file that was written to since it was last looked for is found anew. */
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    sendFound: (audio: Audio) => Promise<FastifyReply>,
  ): Promise<FastifyReply> => {
    const audio = await requireAudio(parts, request, isNextRange(request) ? recheckMs : 0)
    underWay.add(audio.userId, reply.raw)
    // A paused audio element reads nothing, and fails where its connection is closed. Node sets it for the next request.
    request.raw.setTimeout(0)
    try {
      return await sendFound(audio)
    } catch (error) {
      if (isUnreadable(error)) throw refuseUnreadable(parts, audio, error)
      if (!(error instanceof FileChangedError)) throw error
      return await sendFound(await requireAudio(parts, request)).catch(refuseWhileWritten)
    }
  }
  void server.register(async (scope) => {
    // A second instance: the page's own sets other headers.
    await scope.register(fastifyStatic, { serve: false })
    const errorHandler = createErrorHandler(scope)

    // Sound is never compressed again.
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/api/tracks/:trackId/audio',
      compress: false,
      schema: describe('The audio of a library track, also in ranges (members of a room that has it)', sound),
      errorHandler,
      handler: (request, reply) => send(request, reply, (audio) => sendAudio(audio, request, reply)),
    })
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/api/tracks/:trackId/stream',
      compress: false,
      schema: describe('The same audio in a form in which players find any position, also in ranges', sound),
      errorHandler,
      handler: (request, reply) =>
        send(request, reply, (audio) => sendStream(parts, audio, { request, reply })),
    })
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/api/tracks/:trackId/art',
      schema: {
        ...describe(
          'The cover of a library track (without a session: if it plays in a public room, or with a permit)',
          { 200: toContent('The picture', 'image/*'), 304: unchanged },
        ),
        security: [{ session: [] }, {}],
        querystring: artQuerySchema,
      },
      errorHandler,
      handler: async (request, reply) => sendArt(parts, request, reply),
    })
  })
}

/** Returns a description of an answer of bytes for the OpenAPI document. */
function toContent(description: string, mimeType: string) {
  return { description, content: { [mimeType]: { schema: z.string().meta({ format: 'binary' }) } } }
}

const unchanged = z.null().describe('The `ETag` of `If-None-Match` still holds')

const sound = {
  200: toContent('The whole file, with its `ETag`', 'audio/*'),
  206: toContent('The part that `Range` names, if `If-Range` is absent or still holds', 'audio/*'),
  304: unchanged,
}

/** Returns the schema of a call, for validation and for the OpenAPI document. */
function describe(summary: string, answers: object) {
  return {
    summary,
    tags: ['tracks'],
    security: [{ session: [] }],
    params: httpApi.getTrack.params,
    response: { ...answers, default: errorBodySchema },
  }
}

/** Sends a file of the music folder as it is. */
function sendAudio(
  { file, original }: Audio,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return sendSource(original, file.mime_type, request, reply)
}

/** Sends a track's audio as an MP4 file with an index, and the original where it has none. */
async function sendStream(
  { seekableAudio }: MediaParts,
  { file, original }: Audio,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const mp4 = await seekableAudio.find(file.path, original)
  return mp4
    ? sendSource(mp4, 'audio/mp4', request, reply)
    : sendSource(original, file.mime_type, request, reply)
}

/** Access ends with the membership, so browsers cache the audio but revalidate it on each use. */
function sendSource(
  source: ByteSource,
  mimeType: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'private, no-cache').type(mimeType)
  return sendBytes(source, request, reply)
}

interface Audio {
  /** The listener. */
  userId: string
  file: LibraryFile
  original: OriginalFile
}

/** A file that is being written to can be read when that ends. */
function refuseWhileWritten(error: unknown): never {
  throw error instanceof FileChangedError ? new AppError('unavailable', undefined, { cause: error }) : error
}

/** Has the rooms checked that play a file which cannot be read. Returns the answer to the request. */
function refuseUnreadable({ events }: Pick<MediaParts, 'events'>, { file }: Audio, cause: unknown): AppError {
  void events.emit('audioMissing', { trackId: file.track_id })
  const message = "This track's file cannot be read"
  return new AppError('track_not_found', message, { cause })
}

/** Returns the file of the request's track, as found at most `maxAgeMs` ago. A file that was renamed is looked up again. */
async function requireAudio(parts: MediaParts, request: FastifyRequest, maxAgeMs = 0): Promise<Audio> {
  const { audioAccess, originalAudio, events } = parts
  const { trackId } = parseInput(httpApi.getTrack.params, request.params)
  const { resolveSession } = request.server
  const wanted = { headers: request.headers, trackId, resolveSession }
  const known = await findAudio(originalAudio, await audioAccess.require(wanted), maxAgeMs)
  if (known) return known
  audioAccess.forget(trackId)
  const found = await findAudio(originalAudio, await audioAccess.require(wanted))
  if (found) return found
  audioAccess.forget(trackId)
  void events.emit('audioMissing', { trackId })
  throw new AppError('track_not_found')
}

/** Whether a request asks for a range without a condition, which would be about the file as it is now. */
function isNextRange({ headers }: FastifyRequest): boolean {
  return headers.range !== undefined && !Object.keys(headers).some((name) => name.startsWith('if-'))
}

async function findAudio(
  originalAudio: OriginalAudio,
  { file, userId }: Pick<Audio, 'file' | 'userId'>,
  maxAgeMs = 0,
): Promise<Audio | null> {
  const original = await originalAudio.find(file.path, maxAgeMs)
  return original && { userId, file, original }
}

/** Sends a cover to signed-in users, with a permit, and to everybody while the track plays in a public room. */
async function sendArt(
  { db, coverArt, coverGrants }: MediaParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { trackId } = parseInput(httpApi.getTrack.params, request.params)
  const { v: version, size = null, grant = null } = parseInput(artQuerySchema, request.query)
  const isAllowed =
    (grant !== null && coverGrants.admits(trackId, grant)) ||
    (await isTrackPublic(db, trackId)) ||
    (await request.server.resolveSession(request.headers.cookie)) !== null
  if (!isAllowed) throw new AppError('unauthenticated')
  const file = await requireFile(db, trackId)
  const cover = await coverArt.find(file, size)
  if (!cover) throw new AppError('track_not_found', 'This track has no cover')

  const isCurrent = version !== undefined && version === file.cover_version
  const age = isCurrent ? `max-age=${yearMs / 1_000}, immutable` : `max-age=${dayMs / 1_000}`
  reply
    .header('cache-control', `private, ${age}`)
    .header('x-content-type-options', 'nosniff')
    .type(cover.mimeType)
  return reply.sendFile(cover.path, cover.root, {
    cacheControl: false,
    contentType: false,
    acceptRanges: false,
  })
}

async function requireFile(db: Db, trackId: string): Promise<LibraryFile> {
  const file = await findLibraryFile(db, trackId)
  if (!file) throw new AppError('track_not_found')
  return file
}

const conditionErrors = new Map([
  [412, 'The file has changed'],
  [416, 'The range is outside of the file'],
])

/** Keeps the statuses of failed preconditions and ranges; passes every other error to the server's handler. */
function createErrorHandler(scope: FastifyInstance) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const message = conditionErrors.get(error.statusCode ?? 0)
    if (message === undefined) {
      scope.errorHandler(error, request, reply)
      return
    }
    // A 416 carries the file's size in Content-Range.
    if ('headers' in error && typeof error.headers === 'object') reply.headers({ ...error.headers })
    const answer = { error: toWireError(new AppError('invalid_input', message)) }
    void reply
      .type('application/json')
      .code(error.statusCode ?? 400)
      .send(answer)
  }
}
