import { positionAt } from '@earshot/core/sync/timeline'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { wallNow } from '../../wall-clock.ts'
import { listen, offsetMs, pass, playing } from '../testing/listen.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => vi.useRealTimers())

it('17.417 a player whose output is dead is made anew, and plays where the room is', async () => {
  const { latest, players, blocked, state } = listen(playing(20_000))
  await pass(3_000)
  const [first] = players
  const dispose = vi.spyOn(first!.player, 'dispose')
  first!.player.emit({ type: 'blocked' })
  first!.player.emit({ type: 'output_dead' })
  await pass(2_000)
  expect(dispose).toHaveBeenCalledOnce()
  expect(players).toHaveLength(2)
  expect(blocked).toEqual([true, false])
  expect(latest().sample()?.status).toBe('playing')
  const wanted = positionAt(state.timeline, wallNow() + offsetMs)
  expect(Math.abs((latest().sample()?.positionMs ?? 0) - wanted)).toBeLessThan(1)
})
