import { emptyTimeline, toPlaybackState } from '@earshot/core/sync/timeline'
import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeRoom, makeTrack } from '../../../testing/samples.ts'
import { Stage, TrackAnnouncer } from './stage.tsx'

it("17.4b under 'Tap to listen' the stage stays visible and is inert", async () => {
  const track = makeTrack()
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  const { change } = await renderInRoom(
    <Stage titleId="title" onFindMusic={() => undefined} onListen={() => undefined} />,
    { room: { currentTrack: track, playback_state: toPlaybackState(timeline, null) } },
  )
  const isInert = () => screen.getByText(track.title).closest('[inert]') !== null
  expect(isInert()).toBe(false)
  act(() => change({ isSoundBlocked: true }))
  expect(isInert()).toBe(true)
  expect(screen.getByText('Tap to listen').closest('[inert]')).toBeNull()
  expect(screen.getByText(track.title)).toBeDefined()
})

it('17.402 the stage says who added the current track, and nothing where that is unknown', async () => {
  const [first, second] = [makeTrack(), makeTrack({ id: 't2' })]
  const play = (trackId: string) => ({ ...emptyTimeline, trackId, source: 'library' as const })
  const { change } = await renderInRoom(
    <Stage titleId="title" onFindMusic={() => undefined} onListen={() => undefined} />,
    { room: { currentTrack: first, playback_state: toPlaybackState(play(first.id), null) } },
  )
  const texts = () => screen.queryAllByText(/^added by/).map(({ textContent }) => textContent)
  expect(texts()).toEqual([])
  const state = (adder: { id: string; username: string }) =>
    act(() => change({ room: makeRoom({ currentTrack: first, current_added_by: adder }) }))
  state({ id: 'u2', username: 'bob' })
  expect(texts()).toEqual(['added by bob'])
  state({ id: 'u1', username: 'ann' })
  expect(texts()).toEqual(['added by you'])
  // The room still states the track before.
  act(() =>
    change({
      confirmed: { timeline: play(second.id), track: second, queue: [], queueVersion: 2, queueTotal: null },
    }),
  )
  expect(texts()).toEqual([])
})

it('17.353 that the browser blocks the sound is read out, until it no longer does', async () => {
  const track = makeTrack()
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  const { change } = await renderInRoom(
    <Stage titleId="title" onFindMusic={() => undefined} onListen={() => undefined} />,
    { room: { currentTrack: track, playback_state: toPlaybackState(timeline, null) } },
  )
  const readOut = () => document.querySelector('body > [aria-live="polite"]')?.textContent
  expect(readOut()).toBe('')
  act(() => change({ isSoundBlocked: true }))
  expect(readOut()).toBe('Tap to listen. Your browser needs a tap before it can play sound.')
  act(() => change({ isSoundBlocked: false }))
  expect(readOut()).toBe('')
})

it('17.233 a track without an artist is announced by its title alone', async () => {
  const track = makeTrack({ artist: '' })
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  await renderInRoom(<TrackAnnouncer />, {
    room: { currentTrack: track, playback_state: toPlaybackState(timeline, null) },
  })
  expect(screen.getByText(/^Now playing/).textContent).toBe(`Now playing: ${track.title}`)
})
