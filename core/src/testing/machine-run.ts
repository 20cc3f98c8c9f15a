import { earliest } from '../machines/deadlines.ts'

/** A pure state machine: maps an event at an instant to a state and effects. */
interface Machine<State, Event, Effect> {
  initial: State
  step: (state: State, event: Event, nowMs: number) => { state: State; effects: readonly Effect[] }
  /** The event sent at a deadline. */
  due: Event
}

/** Runs a machine on simulated time: sends `due` at each deadline and records the effects. */
export function createMachineRun<
  State extends { deadlines: Readonly<Record<keyof State['deadlines'], number | null>> },
  Event,
  Effect extends object,
>(machine: Machine<State, Event, Effect>) {
  let state = machine.initial
  let nowMs = 1_000_000
  const effects: (Effect & { atMs: number })[] = []
  const send = (event: Event): void => {
    const step = machine.step(state, event, nowMs)
    state = step.state
    effects.push(...step.effects.map((effect) => ({ ...effect, atMs: nowMs })))
  }
  const pass = (ms: number): void => {
    const untilMs = nowMs + ms
    for (;;) {
      const dueMs = earliest(state.deadlines)
      if (dueMs === null || dueMs > untilMs) break
      nowMs = Math.max(nowMs, dueMs)
      send(machine.due)
    }
    nowMs = untilMs
  }
  return {
    send,
    /** Advances the time by `ms`, sending `due` at each deadline. */
    pass,
    readState: () => state,
    readNowMs: () => nowMs,
    effects,
  }
}
