import { hasCode } from '@earshot/core/protocol/errors'
import type { Logger } from 'pino'

/** Returns a handler that logs why nothing could be done with a room. A room that was deleted meanwhile is no failure. */
export const logUnlessGone =
  (logger: Logger, roomId: string, message: string) =>
  (error: unknown): void => {
    if (!hasCode(error, 'room_not_found')) logger.error({ err: error, roomId }, message)
  }
