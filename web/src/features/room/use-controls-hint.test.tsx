import { defaultRoomSettings, type Room } from '@earshot/core/protocol/entities'
import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { makeRoom, makeTrack } from '../../testing/samples.ts'
import { nowPlaying } from '../../texts/now-playing.ts'
import { PlaybackButtons } from './now-playing/transport.tsx'
import { useControlsText } from './use-controls-hint.ts'

const bob = { id: 'u2', username: 'bob', avatar_url: null, is_owner: false }
const cay = { ...bob, id: 'u3', username: 'cay' }

function ControlsText() {
  return <p>{useControlsText()}</p>
}

const isDisabled = (name: string) =>
  screen.getByRole('button', { name }).getAttribute('aria-disabled') === 'true'

it('17.22b who has the controls while the owner is away has live buttons, and everybody sees who it is', async () => {
  const parts = (
    <>
      <PlaybackButtons />
      <ControlsText />
    </>
  )
  const track = makeTrack()
  const listening: Partial<Room> = { owner_id: 'owner', currentTrack: track }
  const { change } = await renderInRoom(parts, { room: listening })
  await screen.findByText('ann controls the playback')
  expect(isDisabled(nowPlaying.play)).toBe(true)
  const withControls = (controller: Room['controller']) =>
    act(() => change({ room: makeRoom({ ...listening, controller }) }))
  withControls({ id: 'u2', username: 'bob' })
  expect(screen.getByText('ann is away, bob has the controls')).toBeDefined()
  expect(isDisabled(nowPlaying.play)).toBe(true)
  withControls({ id: 'u1', username: 'me' })
  expect(screen.getByText('ann is away, you have the controls')).toBeDefined()
  for (const name of [nowPlaying.play, nowPlaying.previous, nowPlaying.next])
    expect(isDisabled(name)).toBe(false)
  withControls(null)
  expect(isDisabled(nowPlaying.play)).toBe(true)
  const settings = { ...defaultRoomSettings, control: 'everybody' as const }
  act(() => change({ room: makeRoom({ ...listening, settings }) }))
  expect(isDisabled(nowPlaying.play)).toBe(false)
})

it('17.304, 17.454 where the owner is away and nobody else has the controls, that is said', async () => {
  const { change } = await renderInRoom(<ControlsText />, { room: { owner_id: 'owner' } })
  await screen.findByText('ann controls the playback')
  act(() => change({ members: [bob] }))
  expect(screen.getByText('ann is away, nobody has the controls')).toBeDefined()
  act(() => change({ members: [bob, { ...cay, id: 'owner', is_owner: true }] }))
  expect(screen.getByText('ann controls the playback')).toBeDefined()
  // Whomever the server does not list, the owner is none of them.
  act(() => change({ members: [bob], unlistedMembers: 1 }))
  expect(screen.getByText('ann is away, nobody has the controls')).toBeDefined()
})
