import { stepMembership, initialMembership, membershipPhase } from '../machines/membership.ts'
import { createMachineRun } from './machine-run.ts'

/** Creates a membership machine that runs on simulated time. */
export function createMembershipRun() {
  const run = createMachineRun({
    initial: initialMembership,
    step: stepMembership,
    due: { type: 'due' },
  })
  const { send, pass, effects } = run
  return {
    send,
    pass,
    get state() {
      return run.readState()
    },
    get phase() {
      return membershipPhase(run.readState())
    },
    get nowMs() {
      return run.readNowMs()
    },
    types: () => effects.map(({ type }) => type),
    joins: () => effects.filter(({ type }) => type === 'join'),
  }
}
