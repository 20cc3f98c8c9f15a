import { defaultRoomSettings, type Track } from '@earshot/core/protocol/entities'
import { emptyTimeline } from '@earshot/core/sync/timeline'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { makeRoom, makeTrack, makeYoutubeTrack } from '../../testing/samples.ts'
import { nowPlaying } from '../../texts/now-playing.ts'
import { room } from '../../texts/room.ts'
import { deliverNotices } from '../../ui/notices/notify.ts'
import { RoomScreen } from './room-page.tsx'

it('2.18a, 2.20a, 17.300 a notice about a join that failed goes once the room is joined, as do placeholders and the hint', async () => {
  const shown = new Map<string, string>()
  const { change, container } = await renderInRoom(<RoomScreen />)
  onTestFinished(
    deliverNotices({ show: ({ id, title }) => shown.set(id, title), close: (id) => shown.delete(id) }),
  )
  const titles = () => [...shown.values()]
  act(() => change({ phase: 'loading', joinError: 'rate_limited' }))
  expect(container.querySelector('.animate-breathe')).not.toBeNull()
  expect(titles()).toEqual([room.joinFailedTitle])
  act(() => change({ phase: 'connecting' }))
  expect(screen.getByText(room.connectingHint)).toBeDefined()
  act(() => change({ phase: 'joined', joinError: null }))
  expect(screen.queryByText(room.connectingHint)).toBeNull()
  expect(titles()).toEqual([])
})

it('17.345 the notices of a lost connection and of the sound come into regions that were there before, empty', async () => {
  const { change } = await renderInRoom(<RoomScreen />)
  const regionOf = (text: string) => screen.getByText(text).closest('[aria-live="polite"]')
  const regions = () => [...document.querySelectorAll('[aria-live="polite"]')]
  act(() => change({ connection: 'connected' }))
  const before = regions().filter((region) => region.textContent === '')
  act(() => change({ connection: 'disabled' }))
  expect(before).toContain(regionOf(room.connectionDisabled))

  const track = makeTrack()
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  const confirmed = { timeline, track, queue: [], queueVersion: 2, queueTotal: null }
  act(() => change({ confirmed, hasSoundFailed: true }))
  expect(before).toContain(regionOf(nowPlaying.soundFailed))
})

it('17.360 Find Music tells guests that they may not change the queue, as soon as the owner decides it', async () => {
  const settings = { ...defaultRoomSettings, guestsQueue: false }
  const { change } = await renderInRoom(<RoomScreen />, { isGuest: true, room: { owner_id: 'u2', settings } })
  expect(await screen.findAllByText('Guests cannot change the queue of this room.')).toHaveLength(2)
  expect(screen.queryByRole('search')).toBeNull()
  expect(screen.queryByRole('button', { name: nowPlaying.findMusic })).toBeNull()
  act(() => change({ room: makeRoom({ owner_id: 'u2' }) }))
  expect(screen.getByRole('button', { name: nowPlaying.findMusic })).toBeDefined()
  expect(screen.queryByText('Guests cannot change the queue of this room.')).toBeNull()
  expect(await screen.findByRole('search')).toBeDefined()
})

it('17.5 the listen mode ends for good where a video comes next, or nothing', async () => {
  const { change } = await renderInRoom(<RoomScreen />)
  const play = (track: Track | null) => {
    const timeline = { ...emptyTimeline, trackId: track?.id ?? null, source: track?.source ?? null }
    act(() => change({ confirmed: { timeline, track, queue: [], queueVersion: 2, queueTotal: null } }))
  }
  const mode = () => document.querySelector('[data-listen-mode]')
  const open = async () => {
    play(makeTrack())
    fireEvent.keyDown(document.body, { key: 'f' })
    await screen.findByRole('dialog', { name: makeTrack().title })
  }
  for (const next of [makeYoutubeTrack('v1'), null]) {
    await open()
    play(makeTrack({ id: 't2', title: 'Another one' }))
    expect(mode()?.textContent).toContain('Another one')
    play(next)
    expect(mode()).toBeNull()
    fireEvent.keyDown(document.body, { key: 'f' })
    play(makeTrack())
    expect(mode()).toBeNull()
  }
})
