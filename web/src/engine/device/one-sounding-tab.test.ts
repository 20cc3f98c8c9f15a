import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { keepOneTabSounding } from './one-sounding-tab.ts'
import { createRoomStore, update, type RoomState, type RoomStore } from '../state/room-state.ts'
import { emptyRoom } from '../testing/room-fixtures.ts'

function openTab(userId = 'user', { isHidden = false } = {}): RoomStore {
  const store = createRoomStore(emptyRoom(userId))
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  onTestFinished(keepOneTabSounding('room', userId, store))
  return store
}

const set = (store: RoomStore, ownSound: RoomState['ownSound']) =>
  update(store, (state) => ({ ...state, ownSound }))

const soundsOf = (stores: RoomStore[]) => stores.map((store) => store.getState().ownSound)

afterEach(() => vi.restoreAllMocks())

it('12.24a the tab that is opened last sounds, or in which "Play here" was pressed last', async () => {
  const tabs = [openTab()]
  tabs.push(openTab())
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
  tabs.push(openTab())
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'in_other_tab', 'on'])
  set(tabs[0]!, 'on')
  await expect.poll(() => soundsOf(tabs)).toEqual(['on', 'in_other_tab', 'in_other_tab'])
})

it('12.24a exactly one of two tabs that open at the same time sounds', async () => {
  const tabs = [openTab(), openTab()]
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
})

it('12.24a a tab that its listener paused stays paused', async () => {
  const tabs = [openTab()]
  set(tabs[0]!, 'paused')
  tabs.push(openTab())
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect.poll(() => soundsOf(tabs)).toEqual(['paused', 'on'])
})

it('12.24b a tab that is opened in the background leaves the sound where it is', async () => {
  const tabs = [openTab()]
  tabs.push(openTab('user', { isHidden: true }))
  await expect.poll(() => soundsOf(tabs)).toEqual(['on', 'in_other_tab'])
  set(tabs[1]!, 'on')
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
})

it('12.24b a tab that is opened in the background sounds if no other one does', async () => {
  const tab = openTab('user', { isHidden: true })
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect.poll(() => soundsOf([tab])).toEqual(['on'])
})

it('12.24a tabs of other users are not affected', async () => {
  const tabs = [openTab('one'), openTab('two')]
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect.poll(() => soundsOf(tabs)).toEqual(['on', 'on'])
})
