import { emptyTimeline, toPlaybackState } from '@earshot/core/sync/timeline'
import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeTrack } from '../../../testing/samples.ts'
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

it('17.233 a track without an artist is announced by its title alone', async () => {
  const track = makeTrack({ artist: '' })
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  await renderInRoom(<TrackAnnouncer />, {
    room: { currentTrack: track, playback_state: toPlaybackState(timeline, null) },
  })
  expect(screen.getByText(/^Now playing/).textContent).toBe(`Now playing: ${track.title}`)
})
