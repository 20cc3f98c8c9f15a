import fastifyStatic from '@fastify/static'
import { AppError } from '@earshot/core/protocol/errors'
import { parseInput } from '@earshot/core/protocol/parse-input'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/database.ts'
import { findLibraryFile, type LibraryFile } from '../../db/library-files.ts'
import { isTrackInRoomOf, isTrackPublic } from '../../db/track-access.ts'
import type { CoverArt } from '../../library/cover-art.ts'
import { resolveMusicPath } from '../../library/music-path.ts'
import { answerConditions, isPlainRange } from '../range-requests.ts'
import { errorBodySchema } from '../http-call.ts'
import { toHeaders } from '../request-headers.ts'

export interface AudioParts {
  db: Db
  musicDir: string
  coverArt: CoverArt
}

const yearMs = 365 * 24 * 60 * 60 * 1_000
const dayMs = 24 * 60 * 60 * 1_000

/**
 * The sound and the cover of library tracks (`trackAudioPath`, `trackArtPath`). What a request names is an id; the
 * paths of files come from the catalogue alone. To be registered before the page.
 */
export function registerAudioRoutes(server: FastifyInstance, parts: AudioParts): void {
  void server.register(async (scope) => {
    // Of its own: the one of the page has its own headers.
    await scope.register(fastifyStatic, { serve: false })
    const errorHandler = answerConditions(scope)

    scope.route({
      method: ['GET', 'HEAD'],
      url: '/api/tracks/:trackId/audio',
      schema: describe('The sound of a library track, also in ranges (members of a room that has it)'),
      errorHandler,
      handler: async (request, reply) => sendAudio(parts, request, reply),
    })
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/api/tracks/:trackId/art',
      schema: describe('The cover of a library track (without a session: of what plays in a public room)'),
      errorHandler,
      handler: async (request, reply) => sendArt(parts, request, reply),
    })
  })
}

/** What the OpenAPI document says of a call, and what its path is held against. */
function describe(summary: string) {
  return {
    summary,
    tags: ['tracks'],
    security: [{ session: [] }],
    params: httpApi.getTrack.params,
    response: { default: errorBodySchema },
  }
}

/** To members of a room in which the track is current or queued. */
async function sendAudio(
  { db, musicDir }: AudioParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await request.server.resolveSession(toHeaders(request.headers))
  if (!session) throw new AppError('unauthenticated')
  const file = await requireFile(db, request)
  if (!(await isTrackInRoomOf(db, session.user.id, file.track_id))) throw new AppError('not_a_member')
  const found = await resolveMusicPath(musicDir, file.path)
  if (!found) throw new AppError('track_not_found')

  // Whoever leaves the room must ask again, so browsers keep the sound but check each time.
  reply.header('cache-control', 'private, no-cache').header('accept-ranges', 'bytes').type(file.mime_type)
  return reply.sendFile(found.path, found.root, {
    cacheControl: false,
    contentType: false,
    acceptRanges: request.method === 'GET' && isPlainRange(request.headers.range, file.size),
  })
}

/** To everybody who is signed in; to others while the track plays in a public room. */
async function sendArt(
  { db, coverArt }: AudioParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { trackId } = parseInput(httpApi.getTrack.params, request.params)
  const isAllowed =
    (await isTrackPublic(db, trackId)) ||
    (await request.server.resolveSession(toHeaders(request.headers))) !== null
  if (!isAllowed) throw new AppError('unauthenticated')
  const cover = await coverArt.find(await requireFile(db, request))
  if (!cover) throw new AppError('track_not_found', 'This track has no cover')

  const age = cover.isImmutable ? `max-age=${yearMs / 1_000}, immutable` : `max-age=${dayMs / 1_000}`
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

async function requireFile(db: Db, request: FastifyRequest): Promise<LibraryFile> {
  const { trackId } = parseInput(httpApi.getTrack.params, request.params)
  const file = await findLibraryFile(db, trackId)
  if (!file) throw new AppError('track_not_found')
  return file
}
