/** The parts of the connection and the players that the debug tools inspect. Only they import this file. */
export { findCodecSupport, readTrackCodec } from '../players/library/codec-support.ts'
export { canDecodeAndSchedule } from '../players/library/web-codecs.ts'
export {
  printPayload,
  type MessageHistory,
  type MessageRecord,
  type Outcome,
} from '../realtime/message-history.ts'
export type { ServerClock } from '../realtime/server-clock.ts'
export type { ServerCalls, ServerConnection } from '../realtime/server-connection.ts'
export { NoAnswerError } from '../realtime/server-socket.ts'
