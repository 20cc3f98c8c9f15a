import { createConnectionRun, start } from '@earshot/core/testing/connection-run'
import { useQueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useEffect, useState, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import { youtubeQuery } from '../api/provider-queries.ts'
import { emptyImport, type ImportProgress } from '../engine/import/import-progress.ts'
import type { RoomVisit } from '../engine/room-visit.ts'
import type { RoomState } from '../engine/state/room-state.ts'
import { RoomCard } from '../features/home/room-card.tsx'
import { YoutubeIntegration } from '../features/profile/youtube-integration.tsx'
import { ConnectionCard } from '../features/room-debug/connection-tester/connection-card.tsx'
import { ImportActions } from '../features/room/find-music/import/import-actions.tsx'
import { MembersButton } from '../features/room/members/members-button.tsx'
import { PeopleAround } from '../features/room/members/people-ring.tsx'
import { RoomMembers } from '../features/room/members/room-members.tsx'
import { ListenMode } from '../features/room/now-playing/listen-mode.tsx'
import { CannotPlayCount } from '../features/room/playability.tsx'
import { RoomRail } from '../features/room/rail.tsx'
import { youtube } from '../texts/profile.ts'
import { answerCalls } from './contract-network.ts'
import { renderInRoom } from './render-in-room.tsx'
import { makeRoom, makeTrack, makeYoutube } from './samples.ts'
import { translateTexts } from './translate-texts.ts'
import { takeTextFlaws } from './watch-texts.ts'

/** A part of the page, before and after its figures change. */
interface Part {
  draw: (isLater: boolean) => ReactNode
  before?: Partial<RoomState>
  after?: Partial<RoomState>
  /** Opens what is to be looked at. */
  open?: () => unknown
  /** Where the figures are, if other parts load beside them. */
  within?: () => HTMLElement
}

const member = (id: string) => ({ id, username: id, avatar_url: null, is_owner: id === 'u1' })
const some = { members: [member('u1'), member('p1')], roomSync: { p50Ms: 1, p95Ms: 3 } }
const more = { members: [...some.members, member('p2')], roomSync: { p50Ms: 1, p95Ms: 9 } }
const imported = (part: Partial<ImportProgress>): ReactNode => (
  <ImportActions
    progress={{ ...emptyImport, ...part }}
    selectedCount={0}
    onAdd={() => undefined}
    onRetry={() => undefined}
    onCancel={() => undefined}
  />
)

const parts: Record<string, Part> = {
  'the card of a room': {
    draw: (isLater) => <RoomCard room={makeRoom({ listeners: isLater ? 2 : 1 })} sources={['library']} />,
  },
  'the key of YouTube': {
    draw: (isLater) => <Youtube hasOwnKey={isLater} />,
    open: () => screen.findByRole('button', { name: youtube.test }),
  },
  'the state of the connection': { draw: (isLater) => <Connection isConnected={isLater} /> },
  'the outcome of an import': {
    draw: (isLater) =>
      imported({
        outcomes: { a: 'added', b: 'not_found', ...(isLater ? { c: 'added', d: 'not_found' } : {}) },
      }),
  },
  'the number of members': { draw: () => <MembersButton />, before: some, after: more },
  'a face beside the cover': {
    draw: () => <PeopleAround onInvite={noop} onShowAll={noop} onDiagnose={noop} />,
    before: {
      ...some,
      connection: 'connected',
      memberSync: { p1: { errorMs: 3, uncertaintyMs: 1, cause: 'in_sync' } },
    },
    after: {
      connection: 'connected',
      memberSync: { p1: { errorMs: 80, uncertaintyMs: 1, cause: 'correcting' } },
    },
    open: () => fireEvent.click(screen.getByRole('button', { name: /^p1,/ })),
  },
  'the list of members': { draw: () => <RoomMembers />, before: some, after: more },
  'the listen mode': {
    draw: () => <ListenMode onClose={noop} faces={null} rising={null} notices={null} />,
    before: some,
    after: more,
  },
  'who cannot play a track': {
    draw: () => <CannotPlayCount trackId="t1" />,
    before: { unplayable: { t1: 1 } },
    after: { unplayable: { t1: 2 } },
  },
  'the tabs of a room': {
    draw: (isLater) => (
      <RoomRail tab="queue" onChange={noop} unreadMessages={isLater ? 2 : 1} hasQueueChanged={isLater} />
    ),
    within: () => screen.getByRole('tablist'),
  },
}

/** Draws a part, with its texts replaced in between where a browser translates them, and changes its figures. */
async function changeFigures(part: Part, isTranslated: boolean) {
  const { draw, before = {}, after = {}, open, within } = part
  let showLater: () => void = noop
  function Switching() {
    const [isLater, setLater] = useState(false)
    useEffect(() => {
      showLater = () => setLater(true)
    }, [])
    return draw(isLater)
  }
  const { change, baseElement } = await renderInRoom(<Switching />, { room: { currentTrack: makeTrack() } })
  await act(async () => change(before))
  await act(async () => void (await open?.()))
  const read = () => (within?.() ?? baseElement).textContent
  const first = read()
  if (isTranslated) translateTexts(baseElement)
  await act(async () => {
    change(after)
    showLater()
  })
  return { first, read }
}

it.each(Object.entries(parts))(
  '17.330 in a page that the browser translates, %s is current',
  async (_name, part) => {
    answerCalls({
      'GET /api/rooms/:roomId/bans': () => ({ bans: [] }),
      'GET /api/youtube': () => ({ connection: makeYoutube({ isConnected: true }) }),
    })
    const plain = await changeFigures(part, false)
    await waitFor(() => expect(plain.read()).not.toBe(plain.first))
    const changed = plain.read()
    cleanup()
    const translated = await changeFigures(part, true)
    await waitFor(() => expect(translated.read()).toBe(changed))
  },
)

it('17.330 every test fails in which a text changes that a translating browser would have replaced', () => {
  const Count = ({ count }: { count: number }) => <p>{count} people</p>
  const { rerender } = render(<Count count={1} />)
  rerender(<Count count={2} />)
  expect(takeTextFlaws()).toEqual([expect.stringContaining('“2” replaces “1” in <p')])
  rerender(<p>{''} people</p>)
  takeTextFlaws()
})

function Youtube({ hasOwnKey }: { hasOwnKey: boolean }) {
  const queryClient = useQueryClient()
  useEffect(() => {
    answerCalls({ 'GET /api/youtube': () => ({ connection: makeYoutube({ isConnected: true, hasOwnKey }) }) })
    void queryClient.invalidateQueries(youtubeQuery)
  }, [queryClient, hasOwnKey])
  return <YoutubeIntegration userId="u1" />
}

/** The card of a connection that is made later. */
function Connection({ isConnected }: { isConnected: boolean }) {
  const [{ visit, connect }] = useState(makeConnecting)
  useEffect(() => {
    if (isConnected) connect()
  }, [isConnected, connect])
  return <ConnectionCard room={visit} />
}

function makeConnecting() {
  const run = createConnectionRun()
  run.send(start)
  const listeners: (() => void)[] = []
  const connection = {
    state: () => run.state,
    transport: () => null,
    watch(listener: () => void) {
      listeners.push(listener)
      return noop
    },
  }
  const connect = () => {
    run.send({ type: 'connected' })
    for (const listener of listeners) listener()
  }
  return { visit: { connection } as unknown as RoomVisit, connect }
}

function noop(): void {}
