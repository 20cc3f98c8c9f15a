import { z } from 'zod'

/** The ids that clients send. Those of tracks begin with their source. */

export const roomIdSchema = z.string().min(1).max(64)
export const userIdSchema = z.string().min(1).max(64)
export const trackIdSchema = z.string().min(1).max(200)
/** Of a track in a room's queue. */
export const entryIdSchema = z.string().min(1).max(200)

/** The parameters of the calls about one room. */
export const roomParams = z.object({ roomId: roomIdSchema })
