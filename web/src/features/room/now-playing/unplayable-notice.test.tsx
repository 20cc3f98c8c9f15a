import type { Track } from '@earshot/core/protocol/entities'
import type { TrackMatch } from '@earshot/core/protocol/providers'
import type { SyncCause } from '@earshot/core/protocol/sync-report'
import { emptyTimeline, toPlaybackState } from '@earshot/core/sync/timeline'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { hasNoPremium, rememberNoPremium } from '../../../engine/device/device-settings.ts'
import { currentVisit } from '../../../engine/current-visit.ts'
import { answerAuth, answerCalls } from '../../../testing/contract-network.ts'
import { sessionStore } from '../../../testing/kept-session.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import {
  makeProfile,
  makeSession,
  makeSpotifyTrack,
  makeTrack,
  makeYoutubeTrack,
} from '../../../testing/samples.ts'
import { nowPlaying } from '../../../texts/now-playing.ts'
import { SoundNotices } from './sound-notices.tsx'
import { Stage } from './stage.tsx'

const current = (track: Track) => ({
  currentTrack: track,
  current_track_id: track.id,
  playback_state: toPlaybackState({ ...emptyTimeline, trackId: track.id, source: track.source }, null),
})
const song = makeSpotifyTrack('s1')

/** Answers the calls of an offer; gives the addresses that were asked. */
function answerMatches(isOn: boolean, matches: TrackMatch[]) {
  const asked: string[] = []
  answerCalls({
    'GET /api/profile': ({ path }) => {
      asked.push(path)
      return { profile: makeProfile({ match_elsewhere: isOn }) }
    },
    'GET /api/tracks/:trackId/matches': ({ path }) => {
      asked.push(path)
      return { matches }
    },
  })
  return asked
}
const libraryMatch: TrackMatch = {
  track: makeTrack({ id: 'mine', title: 'Song s1' }),
  confidence: 0.98,
  by: 'isrc',
}

it.each([
  ['not_connected', 'Connect Spotify to hear this track', 'Go to my profile', '/profile'],
  ['no_premium', 'This track needs Spotify Premium', 'About Premium', 'https://www.spotify.com/premium/'],
] as const)('15.36 tells a listener about %s, and what helps', async (reason, title, label, href) => {
  answerMatches(false, [])
  const { change } = await renderInRoom(<SoundNotices />, { room: current(song) })
  act(() => change({ ownUnplayable: { [song.id]: reason } }))
  expect(await screen.findByText(title)).toBeDefined()
  const link = screen.getByRole('link', { name: label })
  expect(link.getAttribute('href')).toBe(href)
  expect(link.getAttribute('target')).toBe('_blank')
})

it('15.36 lets somebody who has Premium by now try again', async () => {
  answerMatches(false, [])
  rememberNoPremium('u1', 1_000)
  const { change } = await renderInRoom(<SoundNotices />, { room: current(song) })
  act(() => change({ ownUnplayable: { [song.id]: 'no_premium' } }))
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(hasNoPremium('u1', 1_000)).toBe(false)
})

it('15.36 tells about a video that plays only on YouTube, and links to it', async () => {
  const video = makeYoutubeTrack('v1')
  answerMatches(false, [])
  const { change } = await renderInRoom(<SoundNotices />, { room: current(video) })
  act(() => change({ ownUnplayable: { [video.id]: 'not_embeddable' } }))
  expect(await screen.findByText('This video plays only on YouTube')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Watch on YouTube' }).getAttribute('href')).toBe(video.url)
})

it.each([
  ['no_drm', 'This browser cannot play Spotify'],
  ['app_paused', 'Spotify is paused for this server'],
  ['format', 'This browser cannot play this format'],
  ['blocked', 'This track is blocked for you'],
  ['removed', 'This track is no longer available'],
  ['live', 'This is a live stream'],
  ['of_a_newer_server', 'This track cannot be played here'],
])('15.36 says in words that %s prevents the track, and the owner can skip it', async (reason, title) => {
  answerMatches(false, [])
  const { change } = await renderInRoom(<SoundNotices />, { room: current(song) })
  act(() => change({ ownUnplayable: { [song.id]: reason as 'blocked' } }))
  expect(await screen.findByText(title)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Skip' })).toBeDefined()
})

it('15.37 offers nothing, and asks for nothing, unless the profile wants it', async () => {
  const asked = answerMatches(false, [libraryMatch])
  const { change } = await renderInRoom(<SoundNotices />, { room: current(song) })
  act(() => change({ ownUnplayable: { [song.id]: 'no_premium' } }))
  expect(await screen.findByText('This track needs Spotify Premium')).toBeDefined()
  await waitFor(() => expect(asked).toContain('/api/profile'))
  await act(async () => undefined)
  expect(asked).toEqual(['/api/profile'])
  expect(screen.queryByRole('button', { name: /instead/ })).toBeNull()
})

it('15.37, 15.38 plays the offered match for this listener alone, and remembers it', async () => {
  const asked = answerMatches(true, [libraryMatch])
  const { change } = await renderInRoom(<SoundNotices />, { room: current(song) })
  act(() => change({ ownUnplayable: { [song.id]: 'no_premium' } }))
  const offer = await screen.findByRole('button', {
    name: 'Play it from the library instead (98 % sure)',
  })
  fireEvent.click(offer)
  expect(await screen.findByText('You hear this from the library')).toBeDefined()
  const state = () => currentVisit.getState()?.store.getState()
  expect(state()?.substitutes).toEqual({ [song.id]: libraryMatch.track })
  expect(state()?.confirmed.track?.id).toBe(song.id)
  fireEvent.click(screen.getByRole('button', { name: 'Back to the original' }))
  expect(await screen.findByText('This track needs Spotify Premium')).toBeDefined()
  expect(state()?.substitutes).toEqual({})
  expect(asked).toEqual(['/api/profile', `/api/tracks/${encodeURIComponent(song.id)}/matches`])
})

it('15.37 a match that is not playable either is not offered', async () => {
  answerMatches(true, [{ ...libraryMatch, track: makeSpotifyTrack('other') }])
  const { change } = await renderInRoom(<SoundNotices />, { room: current(song) })
  act(() => change({ ownUnplayable: { [song.id]: 'no_premium' } }))
  expect(await screen.findByText('This track needs Spotify Premium')).toBeDefined()
  expect(screen.queryByRole('button', { name: /instead/ })).toBeNull()
})

it('15.36, 15.39 the stage shows the owner the count, and everybody the source with a link back', async () => {
  answerMatches(false, [])
  const { change } = await renderInRoom(
    <Stage titleId="title" onFindMusic={() => undefined} onListen={() => undefined} />,
    {
      room: current(song),
    },
  )
  act(() => change({ unplayable: { [song.id]: 2 } }))
  expect(await screen.findByText('2 cannot play this')).toBeDefined()
  const link = screen.getByRole('link', { name: 'Song s1 on Spotify' })
  expect(link.getAttribute('href')).toBe('https://open.spotify.com/track/s1')
  expect(screen.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe('spotify:track:s1')
})

it.each([
  ['not_embeddable', 1, '“Song” plays only on YouTube, so it was skipped'],
  ['live', 1, '“Song” is a live stream, so it was skipped'],
  ['live', 3, '“Song” and 2 more tracks cannot be played here'],
  ['removed', 1, '“Song” is no longer available'],
  ['of_a_newer_server', 2, '“Song” and 1 more track are no longer available'],
  [undefined, 3, '“Song” and 2 more tracks are no longer available'],
])('15.19 the notice about a skipped track tells the reason: %s, %s', (reason, count, text) => {
  expect(nowPlaying.unavailable({ title: 'Song', count, reason })).toBe(text)
})

it('17.95 tells a listener whose player fails that it is tried again, and no more once it plays', async () => {
  answerMatches(false, [])
  const { change } = await renderInRoom(<SoundNotices />, { room: current(song) })
  act(() => change({ hasSoundFailed: true }))
  expect(await screen.findByText('The sound could not be loaded')).toBeDefined()
  expect(screen.getByText(/whether an extension blocks Spotify/)).toBeDefined()
  act(() => change({ soundRetryAtMs: Date.now() + 3_600_000 }))
  expect(screen.getByText(/^Spotify asks to wait until \d\d:\d\d\./)).toBeTruthy()
  act(() => change({ hasSoundFailed: false }))
  expect(screen.queryByText('The sound could not be loaded')).toBeNull()
})

it('17.406 tells a listener whose player cannot be loaded, of any source, and offers to reload', async () => {
  const { change } = await renderInRoom(<SoundNotices />, { room: current(makeYoutubeTrack('v1')) })
  act(() => change({ isPlayerMissing: true }))
  expect(await screen.findByText('The sound could not be loaded')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined()
  act(() => change({ isPlayerMissing: false }))
  expect(screen.queryByText('The sound could not be loaded')).toBeNull()
})

it('17.416 a sound that fails has the session read, once, as it may have ended', async () => {
  const { change } = await renderInRoom(<SoundNotices />, { room: current(makeTrack({ id: 'mine' })) })
  let reads = 0
  answerAuth({
    'GET /api/auth/get-session': () => {
      reads += 1
      return Response.json(makeSession())
    },
  })
  act(() => change({ hasSoundFailed: true }))
  await waitFor(() => expect(reads).toBe(1))
  act(() => change({ soundRetryAtMs: Date.now() + 3_600_000 }))
  await act(() => sessionStore?.get().refetch())
  expect(reads).toBe(2)
})

describe('a listener who waits for the sound', () => {
  const track = makeTrack({ id: 'mine' })
  const slow = () => screen.queryByText('The sound is slow to load')
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

  it('17.311 is told after 15 s, until it plays', async () => {
    const { change } = await renderInRoom(<SoundNotices />, { room: current(track) })
    // jsdom has no sound, so no player can be created: the page says so once.
    await screen.findByText('The sound could not be loaded', {}, { timeout: 60_000 })
    act(() => change({ isPlayerMissing: false }))
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const setCause = (cause: SyncCause) => act(() => change({ sync: { errorMs: null, cause } }))
    // A wait that the room itself has begun would still be measured by the real clock.
    setCause('in_sync')
    setCause('buffering')
    await wait(14_000)
    expect(slow()).toBeNull()
    await wait(2_000)
    expect(slow()).not.toBeNull()
    setCause('in_sync')
    expect(slow()).toBeNull()
    // The wait begins anew.
    setCause('buffering')
    await wait(14_000)
    expect(slow()).toBeNull()
  })
})
