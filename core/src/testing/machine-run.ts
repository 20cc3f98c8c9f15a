/** A pure machine: an event at an instant gives a state and effects, and a state says when it is due next. */
interface Machine<State, Event, Effect> {
  initial: State
  step: (state: State, event: Event, nowMs: number) => { state: State; effects: readonly Effect[] }
  /** In ms; null where nothing is due. */
  nextDeadline: (state: State) => number | null
  /** What it is sent when something is due. */
  due: Event
}

/** A machine that runs by itself: time passes, deadlines are kept, effects are written down. */
export function createMachineRun<State, Event, Effect extends object>(
  machine: Machine<State, Event, Effect>,
) {
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
      const dueMs = machine.nextDeadline(state)
      if (dueMs === null || dueMs > untilMs) break
      nowMs = Math.max(nowMs, dueMs)
      send(machine.due)
    }
    nowMs = untilMs
  }
  return {
    send,
    /** Lets time pass, and deadlines with it. */
    pass,
    readState: () => state,
    readNowMs: () => nowMs,
    effects,
  }
}
