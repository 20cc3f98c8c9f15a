import { expect, it, onTestFinished, vi } from 'vitest'
import { receive, subscribeDrawing } from './draw-together.ts'
import { createRoomStore, initialRoomState } from './room-state.ts'

const settings = { volume: 1, isMuted: false, nudgesMs: { library: 0, youtube: 0, spotify: 0 } }

function openStore() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const store = createRoomStore(initialRoomState('ann', settings))
  const heard: number[] = []
  const drawn: number[] = []
  store.subscribe(({ volume }) => void heard.push(volume))
  const stop = subscribeDrawing(store, () => void drawn.push(store.getState().volume))
  return { store, heard, drawn, stop }
}

it('17.466 draws once what the server sends at once, after everybody else has heard of all of it', () => {
  const { store, heard, drawn } = openStore()
  for (const volume of [0.1, 0.2, 0.3]) receive(() => store.setState({ volume }))
  expect([heard, drawn]).toEqual([[0.1, 0.2, 0.3], []])
  vi.runAllTimers()
  expect(drawn).toEqual([0.3])
})

it('draws at once what a hidden page receives', () => {
  const { store, drawn } = openStore()
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  onTestFinished(() => void vi.restoreAllMocks())
  receive(() => store.setState({ volume: 0.2 }))
  expect(drawn).toEqual([0.2])
})

it("draws the page's own changes at once", () => {
  const { store, drawn } = openStore()
  store.setState({ volume: 0.4 })
  expect(drawn).toEqual([0.4])
  receive(() => store.setState({ volume: 0.5 }))
  store.setState({ volume: 0.6 })
  expect(drawn).toEqual([0.4, 0.6])
})

it('draws nothing any more once it is stopped', () => {
  const { store, drawn, stop } = openStore()
  receive(() => store.setState({ volume: 0.1 }))
  stop()
  vi.runAllTimers()
  expect(drawn).toEqual([])
})

it('goes on after a change that fails', () => {
  const { store, drawn } = openStore()
  const fail = () => {
    throw new Error('Broken')
  }
  expect(() => receive(fail)).toThrow('Broken')
  store.setState({ volume: 0.7 })
  expect(drawn).toEqual([0.7])
})
