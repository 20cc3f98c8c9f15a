import { stepConnection, type ConnectionEvent, createConnection } from '../machines/connection.ts'
import { createMachineRun } from './machine-run.ts'

export const servers = ['https://one.example', 'https://two.example']
export const start: ConnectionEvent = { type: 'start', inactiveSinceMs: null }

/** Creates a connection machine that runs on simulated time. */
export function createConnectionRun(list: readonly string[] = servers) {
  const run = createMachineRun({
    initial: createConnection(list),
    step: stepConnection,
    due: { type: 'due' },
  })
  const { send, pass, effects } = run
  return {
    send,
    pass,
    effects,
    get state() {
      return run.readState()
    },
    get nowMs() {
      return run.readNowMs()
    },
    opened: () => effects.flatMap((effect) => (effect.type === 'open' ? [effect] : [])),
  }
}
