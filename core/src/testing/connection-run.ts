import { stepConnection } from '../machines/connection.ts'
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  createConnection,
  nextDeadline,
} from '../machines/connection-state.ts'

export const servers = ['https://one.example', 'https://two.example']
export const start: ConnectionEvent = { type: 'start', inactiveSinceMs: null }

/** A connection that runs by itself: time passes, deadlines are kept, effects are written down. */
export function createConnectionRun(list: readonly string[] = servers) {
  let state: ConnectionState = createConnection(list)
  let nowMs = 1_000_000
  const effects: (ConnectionEffect & { atMs: number })[] = []
  const send = (event: ConnectionEvent): void => {
    const step = stepConnection(state, event, nowMs)
    state = step.state
    effects.push(...step.effects.map((effect) => ({ ...effect, atMs: nowMs })))
  }
  return {
    send,
    /** Lets time pass, and deadlines with it. */
    pass(ms: number) {
      const untilMs = nowMs + ms
      for (let due = nextDeadline(state); due !== null && due <= untilMs; due = nextDeadline(state)) {
        nowMs = Math.max(nowMs, due)
        send({ type: 'due' })
      }
      nowMs = untilMs
    },
    get state() {
      return state
    },
    get nowMs() {
      return nowMs
    },
    opened: () => effects.flatMap((effect) => (effect.type === 'open' ? [effect] : [])),
    effects,
  }
}
