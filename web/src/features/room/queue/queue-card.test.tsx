import { defaultRoomSettings, type Room } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { emptyTimeline } from '@earshot/core/sync/timeline'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { currentVisit } from '../../../engine/current-visit.ts'
import { answerCalls } from '../../../testing/contract-network.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import {
  makeEntry,
  makeRoom,
  makeSpotifyTrack,
  makeTrack,
  makeYoutubeTrack,
} from '../../../testing/samples.ts'
import { errorTexts } from '../../../texts/errors.ts'
import { deliverNotices, type PostedNotice } from '../../../ui/notices/notify.ts'
import { QueueCard } from './queue-card.tsx'

const queue = [
  makeEntry({ ...makeSpotifyTrack('s1'), entry_id: 'e1', position: 0 }),
  makeEntry({ ...makeYoutubeTrack('v1'), entry_id: 'e2', position: 1 }),
]
const unplayable = { 'spotify:s1': 2 }
const item = (title: string) => within(screen.getByText(title).closest('li')!)

it('15.36 the owner sees how many cannot play an entry, and everybody the own reason', async () => {
  const { change } = await renderInRoom(<QueueCard />, { queue })
  await screen.findByText('Song s1')
  act(() => change({ unplayable, ownUnplayable: { 'spotify:s1': 'not_connected' } }))
  expect(item('Song s1').getByText('2 cannot play this')).toBeDefined()
  expect(item('Song s1').getByText('You cannot play this: Spotify is not connected')).toBeDefined()
  expect(item('Video v1').queryByText(/cannot play/)).toBeNull()
})

it('15.36 a listener sees no counts', async () => {
  const { change } = await renderInRoom(<QueueCard />, { queue, room: { owner_id: 'somebody' } })
  await screen.findByText('Song s1')
  act(() => change({ unplayable }))
  expect(screen.queryByText(/cannot play/)).toBeNull()
})

it('2.25a, 15.39 names title, artist and source of each entry, with a link back to its provider', async () => {
  await renderInRoom(<QueueCard />, { queue })
  const link = await screen.findByRole('link', { name: 'Song s1 on Spotify' })
  expect(link.textContent).toBe('Spotify')
  expect(item('Song s1').getByText(/^Lanterns/)).toBeDefined()
  expect(link.getAttribute('href')).toBe('https://open.spotify.com/track/s1')
  expect(screen.getByRole('link', { name: 'Video v1 on YouTube' }).getAttribute('target')).toBe('_blank')
})

const songs = Array.from({ length: 8 }, (_, position) =>
  makeEntry({ id: `t${position}`, title: `Song ${position}`, entry_id: `e${position}`, position }),
)

it('17.42 the up and down keys on the handle move an entry, and the move is read out', async () => {
  await renderInRoom(<QueueCard />, { queue: songs.slice(0, 3) })
  const handle = await screen.findByRole('button', { name: 'Move Song 2' })
  fireEvent.keyDown(handle, { key: 'ArrowUp' })
  fireEvent.keyUp(handle, { key: 'ArrowUp' })
  const titles = () => screen.getAllByText(/^Song \d$/).map((title) => title.textContent)
  expect(titles()).toEqual(['Song 0', 'Song 2', 'Song 1'])
  expect(screen.getByText('Song 2 is now 2 of 3')).toBeDefined()
})

it('17.342 an arrow key that is held on a handle is one move, when it is released or the focus leaves', async () => {
  await renderInRoom(<QueueCard />, { queue: songs.slice(0, 8) })
  const handle = await screen.findByRole('button', { name: 'Move Song 0' })
  const moves = () => currentVisit.getState()?.store.getState().pending ?? []
  const place = () => handle.closest('li')?.getAttribute('aria-posinset')
  const hold = (key: string, count: number) => {
    for (let at = 0; at < count; at += 1) fireEvent.keyDown(handle, { key, repeat: at > 0 })
  }
  hold('ArrowDown', 5)
  expect([place(), moves()]).toEqual(['6', []])
  fireEvent.keyUp(handle, { key: 'ArrowDown' })
  expect(place()).toBe('6')
  expect(moves()).toMatchObject([{ command: 'move', entryId: 'e0', index: 5 }])
  expect(screen.getByText('Song 0 is now 6 of 8')).toBeDefined()
  act(() => handle.focus())
  hold('ArrowUp', 2)
  act(() => handle.blur())
  fireEvent.keyUp(handle, { key: 'ArrowUp' })
  expect(moves()).toMatchObject([{ index: 5 }, { command: 'move', entryId: 'e0', index: 3 }])
})

it('17.232 "Play next" reads out the place among all entries', async () => {
  await renderInRoom(<QueueCard />, { queue: songs.slice(0, 5) })
  fireEvent.click(await screen.findByRole('button', { name: 'More for Song 2' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Play next' }))
  expect(screen.getByText('Song 2 is now 1 of 5')).toBeDefined()
})

it('17.233 a track without an artist has its duration alone on the line', async () => {
  const nameless = makeEntry({ ...makeTrack({ artist: '', duration: 84_000 }), entry_id: 'e1', position: 0 })
  await renderInRoom(<QueueCard />, { queue: [nameless] })
  expect(await screen.findByText('1:24')).toBeDefined()
})

it('17.42 the menu of an entry offers its verbs, and to play it now only who controls the room', async () => {
  const choicesOf = async (room: Partial<Room>) => {
    const view = await renderInRoom(<QueueCard />, { queue, room })
    fireEvent.click(await screen.findByRole('button', { name: 'More for Video v1' }))
    const choices = (await screen.findAllByRole('menuitem')).map((choice) => choice.textContent)
    view.unmount()
    return choices
  }
  const forAll = ['Play next', 'Copy link', 'Open in YouTube', 'Remove']
  expect(await choicesOf({})).toEqual(['Play now', ...forAll])
  expect(await choicesOf({ owner_id: 'somebody' })).toEqual(forAll)
  const controller = { id: 'u1', username: 'ann' }
  expect(await choicesOf({ owner_id: 'somebody', controller })).toEqual(['Play now', ...forAll])
  const settings = { ...defaultRoomSettings, removal: 'own' as const }
  queue[1] = { ...queue[1]!, added_by: 'u2' }
  expect(await choicesOf({ owner_id: 'somebody', settings })).toEqual(forAll.slice(0, -1))
  const controlled = { owner_id: 'somebody', controller, settings }
  expect(await choicesOf(controlled), '17.24 the controls include removing').toEqual(['Play now', ...forAll])
})

it('17.360 a guest who may not change the queue is offered no such change', async () => {
  const own = [
    makeEntry({ title: 'Song 0', entry_id: 'e0', position: 0, added_by: 'u1' }),
    makeEntry({ ...makeYoutubeTrack('v1'), entry_id: 'e1', position: 1, added_by: 'u1' }),
  ]
  const guestsQueue = (isOn: boolean) => ({ settings: { ...defaultRoomSettings, guestsQueue: isOn } })
  const room = { owner_id: 'somebody', ...guestsQueue(false) }
  const { change } = await renderInRoom(<QueueCard />, { queue: own, room, isGuest: true })
  const verbs = () => screen.queryAllByRole('button', { name: /^Move (Song|Video)|^Remove my/ })
  await screen.findByText('Song 0')
  const enabled = () => verbs().filter((verb) => !(verb as HTMLButtonElement).disabled).length
  expect(enabled()).toBe(0)
  expect(item('Song 0').queryByRole('button', { name: 'More for Song 0' })).toBeNull()
  act(() => change({ room: makeRoom({ owner_id: 'somebody', ...guestsQueue(true) }) }))
  expect(enabled()).toBe(3)
})

it('17.47 says when each entry starts while the room plays, and who added it after that member left', async () => {
  const gone = makeEntry({ title: 'Song g', entry_id: 'g', added_by: 'u9', added_by_name: 'gus' })
  const { change } = await renderInRoom(<QueueCard />, {
    queue: [gone, makeEntry({ title: 'Song h', entry_id: 'h', position: 1, added_by: null })],
  })
  expect(await screen.findByText('added by gus')).toBeDefined()
  act(() =>
    change({
      confirmed: {
        timeline: {
          ...emptyTimeline,
          trackId: 't1',
          isPlaying: true,
          durationMs: 600_000,
          atServerMs: Date.now(),
        },
        track: makeTrack(),
        queue: [gone, makeEntry({ title: 'Song h', entry_id: 'h', position: 1 })],
        queueVersion: 2,
        queueTotal: null,
      },
    }),
  )
  expect(item('Song g').getByText(/starts in (9|10) min/)).toBeDefined()
  expect(item('Song h').getByText(/starts in 1[23] min/)).toBeDefined()
})

it('17.44 clearing asks first, and says what it removes for whom', async () => {
  const own = makeEntry({ title: 'Song mine', entry_id: 'mine', added_by: 'u1' })
  const other = makeEntry({ title: 'Song other', entry_id: 'other', added_by: 'u2', position: 1 })
  await renderInRoom(<QueueCard />, { queue: [own, other], room: { owner_id: 'u2' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Remove my tracks' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove your tracks from the queue?' }))
  expect(dialog.getByText('One track will be removed.')).toBeDefined()
  fireEvent.click(dialog.getByRole('button', { name: 'Remove my tracks' }))
  expect(screen.queryByText('Song mine')).toBeNull()
  expect(screen.getByText('Song other')).toBeDefined()
})

const playedTrack = {
  id: 'p1',
  track: makeTrack({ title: 'Song p' }),
  added_by: 'u2',
  added_by_name: 'bob',
  played_at: 0,
}

it('17.46 lists what was played, and adds it again', async () => {
  const added: unknown[] = []
  answerCalls({
    'GET /api/rooms/:roomId/history': () => ({ played: [playedTrack], hasMore: false }),
    'POST /api/rooms/:roomId/queue': ({ body }) => {
      added.push(body)
      return { queue: [] }
    },
  })
  await renderInRoom(<QueueCard />, { queue })
  fireEvent.click(await screen.findByRole('button', { name: 'Show what was played' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Add Song p again' }))
  await waitFor(() => expect(added).toMatchObject([{ trackId: 't1', brief: true }]))
})

it('17.121 the list of what was played is titled so, without the length and the button of the queue', async () => {
  answerCalls({ 'GET /api/rooms/:roomId/history': () => ({ played: [playedTrack], hasMore: false }) })
  await renderInRoom(<QueueCard />, { queue })
  const region = await screen.findByRole('region', { name: 'Queue' })
  const length = /^\d+ tracks?/
  expect(within(region).getByText(length)).toBeDefined()
  const toggle = screen.getByRole('button', { name: 'Show what was played' })
  fireEvent.click(toggle)
  expect(await screen.findByRole('region', { name: 'Recently played' })).toBe(region)
  expect(within(region).queryByText(length)).toBeNull()
  expect(within(region).queryByRole('button', { name: /Clear queue|Remove my tracks/ })).toBeNull()
  fireEvent.click(toggle)
  expect(within(region).getByText(length)).toBeDefined()
})

it('17.46 says when older tracks cannot be loaded, and keeps the others', async () => {
  answerCalls({
    'GET /api/rooms/:roomId/history': ({ query }) => {
      if (query.get('before') !== null) throw new AppError('internal')
      return { played: [playedTrack], hasMore: true }
    },
  })
  await renderInRoom(<QueueCard />, { queue })
  fireEvent.click(await screen.findByRole('button', { name: 'Show what was played' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Show older' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Could not load what was played.')
  expect(screen.getByText('Song p')).toBeDefined()
})

it('17.341 the list of what was played keeps its older tracks and the focus when the track changes, also where it cannot be read', async () => {
  const made = (id: string) => ({ ...playedTrack, id, track: makeTrack({ id, title: `Song ${id}` }) })
  let latest = ['2', '1']
  let isBroken = false
  let failures = 0
  answerCalls({
    'GET /api/rooms/:roomId/history': ({ query }) => {
      if (isBroken) {
        failures += 1
        throw new AppError('internal')
      }
      const isOlder = query.get('before') !== null
      return { played: (isOlder ? ['0'] : latest).map(made), hasMore: !isOlder }
    },
  })
  const { change } = await renderInRoom(<QueueCard />, { queue })
  fireEvent.click(await screen.findByRole('button', { name: 'Show what was played' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Show older' }))
  await screen.findByText('Song 0')
  const focused = screen.getByRole('button', { name: 'Add Song 1 again' })
  focused.focus()
  const play = (trackId: string) => {
    const confirmed = {
      timeline: { ...emptyTimeline, trackId },
      track: null,
      queue,
      queueVersion: 1,
      queueTotal: null,
    }
    act(() => change({ confirmed }))
    expect(screen.getByText('Song 0')).toBeDefined()
  }
  latest = ['3', '2', '1']
  play('t1')
  expect(await screen.findByText('Song 3')).toBeDefined()
  expect(screen.getByText('Song 0')).toBeDefined()
  expect(document.activeElement).toBe(focused)
  isBroken = true
  play('t2')
  await waitFor(() => expect(failures).toBe(1))
  isBroken = false
  latest = ['4', '3', '2', '1']
  play('t3')
  expect(await screen.findByText('Song 4')).toBeDefined()
  expect(document.activeElement).toBe(focused)
})

it.each([
  ['internal', 'Could not add track to queue.'],
  ['queue_full', 'Could not add track to queue. The queue is full.'],
  ['too_many_waiting', `Could not add track to queue. ${errorTexts.too_many_waiting}`],
  ['account_required', 'Could not add track to queue. Guests cannot do this. Create an account first.'],
] as const)(
  '8.5, 17.478 a refusal to add a track says why, where one can do something about it: %s',
  async (code, text) => {
    const notices: PostedNotice[] = []
    onTestFinished(deliverNotices({ show: (notice) => notices.push(notice), close: () => undefined }))
    answerCalls({
      'GET /api/rooms/:roomId/history': () => ({ played: [playedTrack], hasMore: false }),
      'POST /api/rooms/:roomId/queue': () => {
        throw new AppError(code)
      },
    })
    await renderInRoom(<QueueCard />, { queue })
    fireEvent.click(await screen.findByRole('button', { name: 'Show what was played' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Add Song p again' }))
    await waitFor(() => expect(notices).toMatchObject([{ kind: 'error', title: 'Error', text }]))
  },
)
