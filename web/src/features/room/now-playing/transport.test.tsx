import { defaultRoomSettings } from '@earshot/core/protocol/entities'
import { emptyTimeline, toPlaybackState } from '@earshot/core/sync/timeline'
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { currentVisit } from '../../../engine/current-visit.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeTrack } from '../../../testing/samples.ts'
import { PlaybackButtons } from './transport.tsx'

it('17.303 the hint of Previous tells both places it goes to', async () => {
  await renderInRoom(<PlaybackButtons />)
  fireEvent.pointerEnter(screen.getByRole('button', { name: 'Previous' }), { pointerType: 'mouse' })
  const hint = 'Back to the start; in the first 3 seconds, to the track before'
  expect(await screen.findByText(hint)).toBeDefined()
})

it('17.495 while a track is cued, Play is Pause: nothing flickers, and the wait can be ended', async () => {
  const track = makeTrack()
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source, isCueing: true }
  const room = { currentTrack: track, playback_state: toPlaybackState(timeline, null) }
  await renderInRoom(<PlaybackButtons />, { room })
  fireEvent.click(screen.getByRole('button', { name: 'Pause' }))
  const [sent] = currentVisit.getState()!.store.getState().pending
  expect(sent).toMatchObject({ command: 'pause' })
  expect(screen.getByRole('button', { name: 'Play' })).toBeDefined()
})

describe('17.470 in a room with votes', () => {
  const settings = { ...defaultRoomSettings, skipVotes: 'half' as const }
  const track = makeTrack()
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source, sequenceNumber: 7 }
  const room = { settings, currentTrack: track, playback_state: toPlaybackState(timeline, null) }
  const counts = { trackId: track.id, turn: 7, votes: 1, needed: 2, isOwn: false }

  it('who does not have the controls votes in place of skipping, and sees whether the vote stands', async () => {
    const { change } = await renderInRoom(<PlaybackButtons />, { room: { ...room, owner_id: 'u2' } })
    expect(screen.queryByRole('button', { name: 'Next track' })).toBeNull()
    const vote = screen.getByRole('button', { name: 'Vote to skip' })
    expect([vote.ariaPressed, vote.getAttribute('aria-disabled')]).toEqual(['false', null])
    act(() => change({ skipVotes: { ...counts, isOwn: true } }))
    expect(vote.ariaPressed).toBe('true')
    fireEvent.pointerEnter(vote, { pointerType: 'mouse' })
    expect(await screen.findByText('1 of 2 votes to skip')).toBeDefined()
    act(() => change({ skipVotes: { ...counts, turn: 8, votes: 0 } }))
    expect(vote.ariaPressed).toBe('false')
  })

  it('who has the controls skips', async () => {
    await renderInRoom(<PlaybackButtons />, { room })
    expect(screen.queryByRole('button', { name: 'Vote to skip' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Next track' }).getAttribute('aria-disabled')).toBeNull()
  })
})
