import type { Track } from '@earshot/core/protocol/entities'
import { emptyTimeline } from '@earshot/core/sync/timeline'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { makeTrack, makeYoutubeTrack } from '../../testing/samples.ts'
import { room } from '../../texts/room.ts'
import { deliverNotices } from '../../ui/notify.ts'
import { RoomScreen } from './room-page.tsx'

it('17.300 a notice about a join that failed goes once the room is joined', async () => {
  const shown = new Map<string, string>()
  const { change } = await renderInRoom(<RoomScreen />)
  onTestFinished(
    deliverNotices({ show: ({ id, title }) => shown.set(id, title), close: (id) => shown.delete(id) }),
  )
  const titles = () => [...shown.values()]
  act(() => change({ joinError: 'rate_limited' }))
  expect(titles()).toEqual([room.joinFailedTitle])
  act(() => change({ joinError: null }))
  expect(titles()).toEqual([])
})

it('17.5 the listen mode ends for good where a video comes next, or nothing', async () => {
  const { change } = await renderInRoom(<RoomScreen />)
  const play = (track: Track | null) => {
    const timeline = { ...emptyTimeline, trackId: track?.id ?? null, source: track?.source ?? null }
    act(() => change({ confirmed: { timeline, track, queue: [], queueVersion: 2 } }))
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
