import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { ListenerSync } from '@earshot/core/protocol/sync-report'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../../../testing/contract-network.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { PeopleAround } from './people-ring.tsx'
import { RoomMembers } from './room-members.tsx'

const owner: Member = { id: 'u1', username: 'ann', avatar_url: null, is_owner: true }
const people = (count: number, from = 0): Member[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `p${from + index}`,
    username: `person ${from + index}`,
    avatar_url: null,
    is_owner: false,
  }))
const room = { owner_id: 'u1' }
/** A click as a mouse makes it. */
function press(element: Element): void {
  fireEvent.mouseDown(element)
  fireEvent.mouseUp(element)
  fireEvent.click(element, { detail: 1 })
}

const noBans = { 'GET /api/rooms/:roomId/bans': () => ({ bans: [] }) }

describe('the list of members', () => {
  it('17.37 shows roles, guests and how well each is in sync; long names are cut off', async () => {
    answerCalls(noBans)
    const { change } = await renderInRoom(<RoomMembers />, {
      room: { ...room, controller: { id: 'p0', username: 'person 0' } },
    })
    const [first, second] = people(2)
    const long = 'x'.repeat(60)
    act(() =>
      change({
        connection: 'connected',
        members: [owner, { ...first!, username: long }, { ...second!, is_guest: true }],
        memberSync: { p0: { errorMs: 3, uncertaintyMs: 1, cause: 'in_sync' } },
      }),
    )
    const [, controller, guest] = screen.getAllByRole('listitem')
    expect(controller?.textContent).toContain('In sync · within 4 ms')
    expect(within(controller!).getByText('Has the controls')).toBeDefined()
    expect(within(controller!).getByText(long).className).toContain('truncate')
    expect(within(guest!).getByText('Guest')).toBeDefined()
    expect(screen.getByText('3 online')).toBeDefined()
  })

  it('17.37 three hundred members are shown in pages', async () => {
    const asked: string[] = []
    answerCalls({
      ...noBans,
      'GET /api/rooms/:roomId/members': ({ query }) => {
        asked.push(`?${query}`)
        return { members: people(100, 199), memberCount: 300 }
      },
    })
    const { change } = await renderInRoom(<RoomMembers />, { room })
    act(() => change({ members: [owner, ...people(limits.membersPageSize - 1)], unlistedMembers: 100 }))
    expect(screen.getAllByRole('listitem')).toHaveLength(200)
    press(screen.getByRole('button', { name: 'Show 100 more' }))
    await vi.waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(300))
    // On a slow machine it is read again meanwhile.
    expect(new Set(asked)).toEqual(new Set(['?offset=200']))
    expect(screen.queryByRole('button', { name: /more/ })).toBeNull()
  })

  it('17.37 pages that were loaded are read again when members leave, and the next page begins where they end', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    let all = people(700)
    const asked: string[] = []
    answerCalls({
      ...noBans,
      'GET /api/rooms/:roomId/members': ({ query }) => {
        const offset = Number(query.get('offset'))
        asked.push(String(offset))
        return { members: all.slice(offset, offset + 200), memberCount: all.length }
      },
    })
    const { change } = await renderInRoom(<RoomMembers />, { room })
    const apply = () => act(() => change({ members: all.slice(0, 200), unlistedMembers: all.length - 200 }))
    apply()
    press(screen.getByRole('button', { name: 'Show 200 more' }))
    await vi.waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(400))
    const [gone] = all.slice(300, 301)
    all = all.filter((member) => member !== gone)
    apply()
    await act(() => vi.advanceTimersByTimeAsync(2_500))
    await vi.waitFor(() => expect(screen.queryByText(gone!.username)).toBeNull())
    expect(screen.getAllByRole('listitem')).toHaveLength(400)
    press(screen.getByRole('button', { name: 'Show 200 more' }))
    await vi.waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(600))
    expect(asked).toEqual(['200', '200', '400'])
  })

  it('17.37 later pages are read again once for each change of the room, also after a failed read', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    let asked = 0
    let isFailing = false
    answerCalls({
      ...noBans,
      'GET /api/rooms/:roomId/members': () => {
        asked += 1
        if (isFailing) throw new AppError('internal', 'No')
        // The room's count is held back, so that of the answer is another.
        return { members: people(100, 199), memberCount: 297 }
      },
    })
    const { change } = await renderInRoom(<RoomMembers />, { room })
    const members = [owner, ...people(limits.membersPageSize - 1)]
    act(() => change({ members, unlistedMembers: 100 }))
    press(screen.getByRole('button', { name: 'Show 100 more' }))
    await vi.waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(300))
    // From the empty room to its first members, its count has changed, too.
    await act(() => vi.advanceTimersByTimeAsync(2_500))
    const readAtFirst = asked
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(asked).toBe(readAtFirst)
    isFailing = true
    act(() => change({ unlistedMembers: 99 }))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(asked).toBe(readAtFirst + 1)
    isFailing = false
    act(() => change({ unlistedMembers: 98 }))
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(asked).toBe(readAtFirst + 2)
  })

  it('17.37 a member of the first page is shown as the room has them, whatever a later page says', async () => {
    const [first, ...others] = people(limits.membersPageSize - 1)
    answerCalls({
      ...noBans,
      'GET /api/rooms/:roomId/members': () => ({
        members: [{ ...first!, username: 'old name' }, ...people(1, 199)],
        memberCount: 201,
      }),
    })
    const { change } = await renderInRoom(<RoomMembers />, { room })
    act(() => change({ members: [owner, first!, ...others], unlistedMembers: 1 }))
    press(screen.getByRole('button', { name: 'Show 1 more' }))
    await vi.waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(201))
    expect(screen.queryByText('old name')).toBeNull()
    expect(screen.getAllByRole('listitem')[1]?.textContent).toContain('person 0')
  })

  it('17.30 the owner removes a member', async () => {
    const calls: string[] = []
    answerCalls({
      ...noBans,
      'POST /api/rooms/:roomId/members/:userId/kick': ({ path }) => {
        calls.push(path)
        return {}
      },
    })
    const { change } = await renderInRoom(<RoomMembers />, { room })
    act(() => change({ members: [owner, ...people(2)] }))
    expect(screen.queryByRole('button', { name: 'Remove ann' })).toBeNull()
    press(screen.getByRole('button', { name: 'Remove person 0' }))
    press(await screen.findByRole('menuitem', { name: 'Remove from the room' }))
    await vi.waitFor(() => expect(calls).toEqual(['/api/rooms/r1/members/p0/kick']))
  })

  it('17.31 the owner bans a member after confirming, also one who leaves meanwhile', async () => {
    const calls: string[] = []
    answerCalls({
      ...noBans,
      'POST /api/rooms/:roomId/bans/:userId': ({ path }) => {
        calls.push(path)
        return {}
      },
    })
    const { change } = await renderInRoom(<RoomMembers />, { room })
    act(() => change({ members: [owner, ...people(2)] }))
    press(screen.getByRole('button', { name: 'Remove person 1' }))
    press(await screen.findByRole('menuitem', { name: 'Ban from the room' }))
    const dialog = await screen.findByRole('dialog', { name: 'Ban person 1?' })
    // They leave before the owner has decided.
    act(() => change({ members: [owner] }))
    press(within(dialog).getByRole('button', { name: 'Ban' }))
    await vi.waitFor(() => expect(calls.at(-1)).toBe('/api/rooms/r1/bans/p1'))
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('17.37 a member who leaves while their menu is open takes it along; the focus stays in the list', async () => {
    answerCalls(noBans)
    const { change } = await renderInRoom(<RoomMembers />, { room })
    act(() => change({ members: [owner, ...people(1)] }))
    const button = screen.getByRole('button', { name: 'Remove person 0' })
    act(() => button.focus())
    press(button)
    await screen.findByRole('menu')
    act(() => change({ members: [owner] }))
    await vi.waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('list')))
    act(() => change({ members: [owner, ...people(1)] }))
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('17.32 listeners have no menus', async () => {
    const { change } = await renderInRoom(<RoomMembers />, { room: { owner_id: 'p0' } })
    act(() => change({ members: [owner, ...people(2)] }))
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
  })

  it('17.31 the owner lifts a ban', async () => {
    let bans = [{ user_id: 'p9', username: 'rude', avatar_url: null, created_at: 1 }]
    answerCalls({
      'GET /api/rooms/:roomId/bans': () => ({ bans }),
      'DELETE /api/rooms/:roomId/bans/:userId': () => {
        bans = []
        return {}
      },
    })
    await renderInRoom(<RoomMembers />, { room })
    press(await screen.findByText('Banned people (1)'))
    press(screen.getByRole('button', { name: 'Lift the ban of rude' }))
    await vi.waitFor(() => expect(screen.queryByText('Banned people (1)')).toBeNull())
  })
})

describe('the people round the cover', () => {
  const actions = () => ({
    onInvite: vi.fn<() => void>(),
    onShowAll: vi.fn<() => void>(),
    onDiagnose: vi.fn<() => void>(),
  })

  it('17.37 sixty members are eleven faces and a number, which opens the list', async () => {
    const on = actions()
    const { change } = await renderInRoom(<PeopleAround {...on} />, { room })
    act(() => change({ members: [owner, ...people(59)] }))
    expect(screen.getAllByRole('listitem')).toHaveLength(12)
    press(screen.getByRole('button', { name: 'and 49 more' }))
    expect(on.onShowAll).toHaveBeenCalledOnce()
    act(() => change({ members: [owner, ...people(11)] }))
    expect(screen.getAllByRole('listitem')).toHaveLength(12)
    expect(screen.queryByRole('button', { name: /more/ })).toBeNull()
  })

  it('17.37 a face says why in plain words, and to the viewer offers the diagnosis', async () => {
    const on = actions()
    const { change } = await renderInRoom(<PeopleAround {...on} />, { room })
    act(() =>
      change({
        connection: 'connected',
        members: [owner, ...people(1)],
        memberSync: { p0: { errorMs: null, cause: 'blocked' } },
      }),
    )
    press(screen.getByRole('button', { name: 'person 0, Sound is blocked' }))
    expect(await screen.findByText('The browser waits for a tap before it plays sound.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Check my sound' })).toBeNull()
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
    press(screen.getByRole('button', { name: /^ann,/ }))
    press(await screen.findByRole('button', { name: 'Check my sound' }))
    expect(on.onDiagnose).toHaveBeenCalledOnce()
  })

  it('17.448 without a connection neither faces nor list show how well somebody was in sync before', async () => {
    answerCalls(noBans)
    const drawn = (
      <>
        <PeopleAround {...actions()} />
        <RoomMembers />
      </>
    )
    const { change } = await renderInRoom(drawn, { room })
    const inSync: ListenerSync = { errorMs: 3, uncertaintyMs: 1, cause: 'in_sync' }
    const state = { members: [owner, ...people(1)], sync: inSync, memberSync: { u1: inSync, p0: inSync } }
    act(() => change({ ...state, connection: 'connected' }))
    expect(screen.getAllByRole('button', { name: /, In sync · within 4 ms$/ })).toHaveLength(2)
    expect(screen.getAllByText('In sync · within 4 ms')).toHaveLength(2)
    act(() => change({ connection: 'connecting' }))
    expect(screen.queryByRole('button', { name: /In sync/ })).toBeNull()
    expect(screen.queryByText(/In sync/)).toBeNull()
    expect(screen.getAllByRole('button', { name: /, Connection lost$/ })).toHaveLength(2)
    expect(screen.getAllByText('Connection lost')).toHaveLength(2)
  })

  it('17.37 who is alone is offered to invite others', async () => {
    const on = actions()
    const { change } = await renderInRoom(<PeopleAround {...on} />, { room })
    act(() => change({ members: [owner], connection: 'connected' }))
    press(screen.getByRole('button', { name: 'Invite people' }))
    expect(on.onInvite).toHaveBeenCalledOnce()
  })
})
