import type { Track } from '@earshot/core/protocol/entities'
import { makeDevice } from '@earshot/core/testing/diagnosis-facts'
import { emptyTimeline, toPlaybackState } from '@earshot/core/sync/timeline'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { currentVisit } from '../../../engine/current-visit.ts'
import { evenLoudness } from '../../../engine/device/device-settings.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeTrack } from '../../../testing/samples.ts'
import { loudness, nudge, syncPanel } from '../../../texts/now-playing.ts'
import { diagnosis } from '../../../texts/diagnosis.ts'
import { people } from '../../../texts/people.ts'
import { room } from '../../../texts/room.ts'
import { RoomScreen } from '../room-page.tsx'
import { SyncBadge } from './sync-badge.tsx'
import { SyncFigures } from './sync-panel.tsx'

const actions = { onInvite: () => undefined, onDiagnose: () => undefined }

it('11.3a, 11.3b, 11.3d the panel shows the bounds, what cannot be measured of them, and the remedy', () => {
  const roomSync = { p50Ms: 4.2, p95Ms: 40.4 }
  const { rerender } = render(
    <SyncFigures
      sync={{ cause: 'in_sync', errorMs: 1.5, uncertaintyMs: 20.2 }}
      roomSync={roomSync}
      device={makeDevice()}
    />,
  )
  expect(screen.getByText('In sync · within 22 ms')).toBeDefined()
  expect(screen.getByText('within 4.2 ms')).toBeDefined()
  expect(screen.getByText('within 41 ms')).toBeDefined()
  expect(screen.getByText(/^Up to 21 ms of this cannot be measured: .* use the nudge\.$/)).toBeDefined()
  rerender(
    <SyncFigures sync={{ cause: 'buffering', errorMs: null }} roomSync={roomSync} device={makeDevice()} />,
  )
  expect(screen.queryByText(/cannot be measured/)).toBeNull()
})

it('17.430 the panel says that the browser does not state the output latency, and the remedy', () => {
  const shown = { sync: { cause: 'in_sync', errorMs: 1 }, roomSync: { p50Ms: null, p95Ms: null } } as const
  const { rerender } = render(<SyncFigures {...shown} device={makeDevice()} />)
  expect(screen.queryByText(syncPanel.latencyUnknown)).toBeNull()
  rerender(<SyncFigures {...shown} device={makeDevice({}, null)} />)
  expect(screen.getByText(syncPanel.latencyUnknown)).toBeDefined()
})

it('17.4a the badge does not say "In sync" while the connection is lost', async () => {
  const track = makeTrack()
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  const { change } = await renderInRoom(<SyncBadge {...actions} />, {
    room: { currentTrack: track, playback_state: toPlaybackState(timeline, null) },
  })
  act(() => change({ connection: 'connected', sync: { cause: 'in_sync', errorMs: 1, uncertaintyMs: 1 } }))
  expect(screen.getByRole('button').textContent).toMatch(/In sync/)
  act(() => change({ connection: 'disconnected' }))
  expect(screen.getByRole('button').textContent).toBe('Your sync: Connection lost')
})

it('17.97 who is alone and in sync is offered to invite others instead', async () => {
  const track = makeTrack()
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  let invitations = 0
  const { change } = await renderInRoom(<SyncBadge {...actions} onInvite={() => (invitations += 1)} />, {
    room: { currentTrack: track, playback_state: toPlaybackState(timeline, null) },
  })
  // Otherwise the connection, which fails here, would set its state again.
  currentVisit.getState()?.leave()
  const inSync = { cause: 'in_sync', errorMs: 1, uncertaintyMs: 1 } as const
  act(() => change({ connection: 'connected', sync: inSync, unlistedMembers: 1 }))
  const badge = screen.getByRole('button')
  expect(badge.textContent).toBe('Your sync: Just you so far In sync · within 2 ms')
  fireEvent.click(badge)
  fireEvent.click(await screen.findByRole('button', { name: 'Invite people' }))
  expect(invitations).toBe(1)
  act(() => change({ sync: { cause: 'buffering', errorMs: null } }))
  expect(badge.textContent).toBe('Your sync: Buffering')
  act(() => change({ sync: inSync, unlistedMembers: 2 }))
  expect(badge.textContent).toBe('Your sync: In sync · within 2 ms')
})

it.each([
  ['no_premium', 'Needs Spotify Premium'],
  ['not_connected', 'Spotify not connected'],
  ['format', 'Cannot play this format'],
  ['of_a_newer_server', 'Cannot play this track'],
] as const)('10.11a the badge says why the current track cannot be played: %s', async (reason, text) => {
  const track = makeTrack()
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  const { change } = await renderInRoom(<SyncBadge {...actions} />, {
    room: { currentTrack: track, playback_state: toPlaybackState(timeline, null) },
  })
  act(() =>
    change({
      connection: 'connected',
      sync: { cause: 'unplayable', errorMs: null },
      ownUnplayable: { [track.id]: reason as 'format' },
    }),
  )
  expect(screen.getByRole('button').textContent).toBe(`Your sync: ${text}`)
})

/** Opens the panel in a room with a track, which is heard as `heard`. */
async function openPanel(track: Track, heard?: Track) {
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  const { change } = await renderInRoom(<SyncBadge {...actions} />, {
    room: { currentTrack: track, playback_state: toPlaybackState(timeline, null) },
  })
  // Otherwise the connection, which fails here, would set its state again.
  currentVisit.getState()?.leave()
  act(() => change({ substitutes: heard ? { [track.id]: heard } : {} }))
  fireEvent.click(screen.getByRole('button'))
  expect(await screen.findByText(nudge.hint)).toBeDefined()
  return screen.queryByRole<HTMLInputElement>('switch', { name: loudness.label })
}

it('17.487 the panel of a track of the library has a switch of its loudness', async () => {
  const shown = await openPanel(makeTrack())
  expect(shown?.checked).toBe(true)
  for (const isOn of [false, true]) {
    fireEvent.click(shown!)
    expect([shown?.checked, evenLoudness.getState().isOn]).toEqual([isOn, isOn])
  }
  cleanup()
  expect(await openPanel(makeTrack({ source: 'youtube' }))).toBeNull()
})

it.each([
  ['youtube', 'library'],
  ['library', 'youtube'],
] as const)(
  '17.441 in the panel of a track of %s that is heard from %s, the settings are those of what is heard',
  async (source, heardSource) => {
    const heard = makeTrack({ id: 'heard', source: heardSource })
    const shown = await openPanel(makeTrack({ source }), heard)
    expect(shown !== null).toBe(heardSource === 'library')
    const nudgesMs = () => currentVisit.getState()!.store.getState().nudgesMs
    const before = nudgesMs()
    fireEvent.click(screen.getByRole('button', { name: nudge.later(10) }))
    expect(nudgesMs()).toEqual({ ...before, [heardSource]: before[heardSource] + 10 })
  },
)

it('17.444 the panel says by how much the track is played louder, and where its file does not state its loudness', async () => {
  act(() => evenLoudness.setState({ latest: { trackId: 't1', gainDb: -7.24 } }))
  const shown = await openPanel(makeTrack({ gain_db: -7.24 }))
  expect(screen.getByText('This track: -7.2 dB')).toBeDefined()
  expect(screen.queryByText(loudness.unstated)).toBeNull()
  fireEvent.click(shown!)
  expect(screen.getByText('This track: 0 dB')).toBeDefined()
  fireEvent.click(shown!)
  act(() => evenLoudness.setState({ latest: { trackId: 't1', gainDb: 3 } }))
  expect(screen.getByText('This track: +3 dB')).toBeDefined()
  // Nothing of it was played yet.
  act(() => evenLoudness.setState({ latest: { trackId: 'other', gainDb: 3 } }))
  expect(screen.queryByText(/^This track/)).toBeNull()
  cleanup()
  await openPanel(makeTrack())
  expect(screen.getByText(loudness.unstated)).toBeDefined()
})

it('17.397 its panel says the cause in plain words, and a press more runs the diagnosis', async () => {
  const track = makeTrack()
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source }
  const { change } = await renderInRoom(<RoomScreen />, {
    room: { currentTrack: track, playback_state: toPlaybackState(timeline, null) },
  })
  // Otherwise the connection, which fails here, would set its state again.
  currentVisit.getState()?.leave()
  act(() => change({ connection: 'connected', sync: { cause: 'hidden', errorMs: null } }))
  const badge = screen.getByRole('button', { name: /^Your sync/ })
  fireEvent.click(badge)
  expect(await screen.findByText(people.causes.hidden)).toBeDefined()
  act(() =>
    change({ sync: { cause: 'unplayable', errorMs: null }, ownUnplayable: { [track.id]: 'no_premium' } }),
  )
  const panel = within(screen.getByRole('dialog', { name: syncPanel.title }))
  expect(panel.getByText('This track needs Spotify Premium')).toBeDefined()
  act(() => change({ connection: 'disconnected' }))
  expect(panel.getByText(room.reconnecting)).toBeDefined()
  fireEvent.click(panel.getByRole('button', { name: people.diagnose }))
  expect(await screen.findByRole('list', { name: diagnosis.findings })).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
})
