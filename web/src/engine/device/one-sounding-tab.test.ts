import { locks } from 'node:worker_threads'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { keepOneTabSounding } from './one-sounding-tab.ts'
import { createRoomStore, update, type RoomState, type RoomStore } from '../state/room-state.ts'
import { emptyRoom } from '../testing/room-fixtures.ts'

const leaving = new Map<RoomStore, () => void>()

function openTab(userId = 'user', { isHidden = false } = {}): RoomStore {
  const store = createRoomStore({ ...emptyRoom(userId), phase: 'joined' })
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  const stop = keepOneTabSounding(userId, store)
  leaving.set(store, stop)
  onTestFinished(() => {
    if (leaving.delete(store)) stop()
  })
  return store
}

/** Its own state stays as it was. */
function leaveTab(tab: RoomStore): void {
  leaving.get(tab)?.()
  leaving.delete(tab)
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

it('12.24a a tab whose clock stopped while the machine slept takes the sound as well', async () => {
  const clock = vi.spyOn(performance, 'now')
  const tabs = [openTab()]
  clock.mockReturnValue(performance.now() + 3_600_000)
  tabs.push(openTab())
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
  clock.mockRestore()
  set(tabs[0]!, 'on')
  await expect.poll(() => soundsOf(tabs)).toEqual(['on', 'in_other_tab'])
})

it('12.24b one of two tabs that were opened in the background sounds', async () => {
  const tabs = [openTab('user', { isHidden: true })]
  await new Promise((resolve) => setTimeout(resolve, 50))
  tabs.push(openTab('user', { isHidden: true }))
  await expect.poll(() => soundsOf(tabs)).toEqual(['on', 'in_other_tab'])
})

it('12.24b of two tabs that were opened in the background and blocked, the one that may sound first does so alone', async () => {
  const tabs = [openTab('user', { isHidden: true })]
  block(tabs[0]!)
  await new Promise((resolve) => setTimeout(resolve, 50))
  tabs.push(openTab('user', { isHidden: true }))
  update(tabs[0]!, (state) => ({ ...state, isSoundBlocked: false }))
  await expect.poll(() => soundsOf(tabs)).toEqual(['on', 'in_other_tab'])
})

it('12.24a tabs of other users are not affected', async () => {
  const tabs = [openTab('one'), openTab('two')]
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect.poll(() => soundsOf(tabs)).toEqual(['on', 'on'])
})

it('17.235 where the tab that sounds leaves the room, one of the others sounds', async () => {
  const tabs = [openTab(), openTab(), openTab()]
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'in_other_tab', 'on'])
  const [first, second, last] = tabs
  leaveTab(last!)
  await expect.poll(() => soundsOf([first!, second!]).toSorted()).toEqual(['in_other_tab', 'on'])
})

it('17.235 a tab that its listener paused stays paused, and one that was silent takes no sound with it', async () => {
  const tabs = [openTab(), openTab(), openTab()]
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'in_other_tab', 'on'])
  const [paused, silent, sounding] = tabs
  set(paused!, 'paused')
  leaveTab(silent!)
  leaveTab(sounding!)
  const witness = openTab('user', { isHidden: true })
  await expect.poll(() => soundsOf([paused!, witness])).toEqual(['paused', 'on'])
})

it('17.235 a tab that is closed hands the sound on', async () => {
  const tabs = [openTab(), openTab()]
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
  window.dispatchEvent(new PageTransitionEvent('pagehide'))
  await expect.poll(() => soundsOf(tabs)).toEqual(['on', 'in_other_tab'])
})

/** A tab without our code, which says what a test lets it say. */
function openStrangeTab() {
  const channel = new BroadcastChannel('earshot:sound:user')
  onTestFinished(() => channel.close())
  const heard: unknown[] = []
  channel.onmessage = ({ data }) => heard.push(data)
  return { heard, say: (message: object) => channel.postMessage(message) }
}

it('17.235 a page that the browser kept and shows again takes the sound back', async () => {
  const { heard } = openStrangeTab()
  openTab()
  await expect.poll(() => heard).toHaveLength(1)
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await expect.poll(() => heard).toHaveLength(2)
  expect(heard[1]).toEqual({ soundsSinceMs: expect.any(Number) })
})

it('17.426 the tab that joined last has the sound, whatever came before it and whoever leaves meanwhile', async () => {
  const tabs = [openTab(), openTab()]
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
  // As one that goes from room to room.
  leaveTab(tabs[1]!)
  tabs[1] = openTab()
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
})

it('17.426 a tab that is not admitted to its room leaves the sound where it is, until it is', async () => {
  const [tab, guest] = [openTab(), createRoomStore(emptyRoom('user'))]
  onTestFinished(keepOneTabSounding('user', guest))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(tab.getState().ownSound).toBe('on')
  update(guest, (state) => ({ ...state, phase: 'joined' }))
  await expect.poll(() => soundsOf([tab, guest])).toEqual(['in_other_tab', 'on'])
  update(guest, (state) => ({ ...state, phase: 'not_found' }))
  await expect.poll(() => tab.getState().ownSound).toBe('on')
})

/** Gives the page Web Locks, which jsdom lacks: those of Node, which another tab holds until the returned call. */
async function holdLock(name: string): Promise<() => void> {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { locks }))
  onTestFinished(() => void vi.unstubAllGlobals())
  return new Promise((resolve) => {
    void locks.request(name, () => new Promise<void>((end) => resolve(end)))
  })
}

it('17.427 where the tab that sounds is gone without a word, another one sounds', async () => {
  const crash = await holdLock('lock')
  const tabs = [openTab(), openTab()]
  const { say } = openStrangeTab()
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
  say({ soundsSinceMs: Date.now() + 60_000, lock: 'lock' })
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'in_other_tab'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(soundsOf(tabs)).toEqual(['in_other_tab', 'in_other_tab'])
  crash()
  await expect.poll(() => soundsOf(tabs).toSorted()).toEqual(['in_other_tab', 'on'])
})

it('17.427 where the tab that was paused by its listener is gone, no other one sounds', async () => {
  const crash = await holdLock('lock')
  const tab = openTab()
  const { say } = openStrangeTab()
  const soundsSinceMs = Date.now() + 60_000
  say({ soundsSinceMs, lock: 'lock' })
  await expect.poll(() => tab.getState().ownSound).toBe('in_other_tab')
  const { heard } = openStrangeTab()
  say({ soundsSinceMs, givesUp: 'paused' })
  await expect.poll(() => heard).toHaveLength(1)
  crash()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(tab.getState().ownSound).toBe('in_other_tab')
})

it('17.427 a tab says when its listener pauses it', async () => {
  const { heard } = openStrangeTab()
  const tab = openTab()
  set(tab, 'paused')
  await expect
    .poll(() => heard)
    .toEqual([{ soundsSinceMs: expect.any(Number) }, expect.objectContaining({ givesUp: 'paused' })])
})

const block = (store: RoomStore) => update(store, (state) => ({ ...state, isSoundBlocked: true }))

it('17.313 where the browser blocks the tab that was opened last, the one before sounds on', async () => {
  const tabs = [openTab(), openTab()]
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
  block(tabs[1]!)
  await expect.poll(() => soundsOf(tabs)).toEqual(['on', 'in_other_tab'])
})

it('17.313 of tabs that are all blocked the last one stays', async () => {
  const tabs = [openTab(), openTab()]
  block(tabs[0]!)
  await expect.poll(() => soundsOf(tabs)).toEqual(['in_other_tab', 'on'])
  block(tabs[1]!)
  const witness = openTab('user', { isHidden: true })
  await expect.poll(() => soundsOf([...tabs, witness])).toEqual(['in_other_tab', 'on', 'in_other_tab'])
})
