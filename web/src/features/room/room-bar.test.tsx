import { emptyTimeline } from '@earshot/core/sync/timeline'
import { act, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useStore } from 'zustand'
import { currentVisit } from '../../engine/current-visit.ts'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { makeMessage, makeTrack } from '../../testing/samples.ts'
import { nowPlaying, syncBadge } from '../../texts/now-playing.ts'
import { PageTitle, titlePrefix } from '../../ui/page/page-title.tsx'
import { RoomBar } from './room-bar.tsx'

function OtherPage() {
  const visit = useStore(currentVisit)
  return (
    <>
      <PageTitle name="Explore Rooms" />
      {visit && <RoomBar visit={visit} />}
    </>
  )
}

/** Shows the bar of a room that plays a track, on another page. */
async function openElsewhere() {
  const view = await renderInRoom(<OtherPage />)
  // Otherwise the connection, which fails here, would set its state again.
  currentVisit.getState()?.leave()
  const track = makeTrack({ title: 'Undertow', artist: 'Kestrel' })
  const timeline = { ...emptyTimeline, trackId: track.id, source: track.source, isPlaying: true }
  const confirmed = { timeline, track, queue: [], queueVersion: 2, queueTotal: null }
  act(() => view.change({ connection: 'connected', confirmed }))
  return { ...view, track, link: () => screen.getByRole('link', { name: /Undertow/ }) }
}

it('17.3c on other pages the bar has the number of unread messages, and the title begins with it and the track', async () => {
  const { change, link, unmount } = await openElsewhere()
  expect(document.title).toBe('Undertow - Kestrel · Explore Rooms · Earshot')
  expect(within(link()).queryByText(/unread/)).toBeNull()
  const messages = ['1', '2'].map((id) => makeMessage({ id, user_id: 'u2' }))
  act(() => change({ lastReadId: '0', messages }))
  expect(document.title).toBe('(2) Undertow - Kestrel · Explore Rooms · Earshot')
  expect(within(link()).getByText('2 unread')).toBeDefined()
  unmount()
  expect(titlePrefix.getState()).toBe('')
})

it('17.3d in place of the name of the room the bar says why it is silent or out of reach', async () => {
  const { change, link, track } = await openElsewhere()
  const said = () => link().textContent
  expect(said()).toContain('Kitchen Radio')
  act(() => change({ hasSoundFailed: true }))
  expect(said()).toContain(nowPlaying.soundFailed)
  act(() => change({ ownUnplayable: { [track.id]: 'format' } }))
  expect(said()).toContain('Cannot play this format')
  act(() => change({ ownSound: 'in_other_tab' }))
  expect(said()).toContain(nowPlaying.silentHere.in_other_tab)
  act(() => change({ connection: 'disconnected' }))
  expect(said()).toBe(`Undertow${syncBadge.disconnected}`)
  act(() => change({ connection: 'connected', ownSound: 'on', ownUnplayable: {}, hasSoundFailed: false }))
  expect(said()).toContain('Kitchen Radio')
})
