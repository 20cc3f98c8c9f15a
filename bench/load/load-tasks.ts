import type { LoopDelay } from './loop-delay.ts'

/** Tasks of the load process: name -> input and result, of cloneable data. */
export interface LoadTasks {
  /** Opens `count` connections, the sessions taken in turn. Without sessions they are bare WebSockets. */
  open: { input: { group: string; url: string; cookies: string[]; count: number }; result: null }
  /**
   * Every connection, or those `from` an index, joins its room, the rooms taken in turn: all at once, or a few at a
   * time.
   */
  join: {
    input: { group: string; roomIds: string[]; isAtOnce: boolean; from?: number }
    result: JoinOutcome
  }
  /** Every connection sends the messages of a playing page: clock probes and sync reports. */
  simulatePages: { input: { group: string; roomIds: string[] }; result: null }
  /** Discards the recording and starts a new one. */
  startRecording: { input: { group: string }; result: null }
  stopRecording: { input: { group: string }; result: Recording }
  close: { input: { group: string }; result: null }
  /** Resolves to the delay of the event loop since the last call. */
  readLoopDelay: { input: null; result: LoopDelay }
  /** Each of the people searches the library, again and again. */
  startSearches: { input: { url: string; people: Searcher[] }; result: null }
  /** Resolves to the ms that each search took. */
  stopSearches: { input: null; result: number[] }
}

/** A signed-in user, and the loopback address of their requests. */
export interface Searcher {
  cookie: string
  from: string
}

export type LoadTaskName = keyof LoadTasks

export interface JoinOutcome {
  /** From the request to its answer, ms, one a connection. */
  answeredMs: number[]
  /** How long the largest answer was, in bytes. */
  answerBytes: number
}

/** The events that a group of connections received between two calls. */
export interface Recording {
  /** Each arrival of a playback change at a connection: its sequence number, and the monotonic ms. */
  sequenceNumbers: Float64Array
  arrivedAtMs: Float64Array
  /** All that came, of all connections: WebSocket messages and their payload. */
  frames: number
  bytes: number
  /** Frames of the first connection, in order, at most a hundred. */
  samples: string[]
}

export interface TaskRequest {
  id: number
  name: LoadTaskName
  input: LoadTasks[LoadTaskName]['input']
}

export type TaskReply = { id: number } & ({ result: LoadTasks[LoadTaskName]['result'] } | { failure: string })
