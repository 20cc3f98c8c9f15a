import { stepMembership } from '../machines/membership.ts'
import {
  type MembershipEffect,
  type MembershipEvent,
  initialMembership,
  membershipPhase,
  nextMembershipDeadline,
} from '../machines/membership-state.ts'

/** A membership that runs by itself: time passes, deadlines are kept, effects are written down. */
export function createMembershipRun() {
  let state = initialMembership
  let nowMs = 1_000_000
  const effects: (MembershipEffect & { atMs: number })[] = []
  const send = (event: MembershipEvent): void => {
    const step = stepMembership(state, event, nowMs)
    state = step.state
    effects.push(...step.effects.map((effect) => ({ ...effect, atMs: nowMs })))
  }
  return {
    send,
    pass(ms: number) {
      const untilMs = nowMs + ms
      for (;;) {
        const due = nextMembershipDeadline(state)
        if (due === null || due > untilMs) break
        nowMs = Math.max(nowMs, due)
        send({ type: 'due' })
      }
      nowMs = untilMs
    },
    get state() {
      return state
    },
    get phase() {
      return membershipPhase(state)
    },
    get nowMs() {
      return nowMs
    },
    types: () => effects.map(({ type }) => type),
    joins: () => effects.filter(({ type }) => type === 'join'),
  }
}
