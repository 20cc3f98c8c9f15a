import { limits } from '@earshot/core/limits'
import { defaultRoomSettings } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { currentVisit } from '../../../engine/current-visit.ts'
import type { RoomState } from '../../../engine/state/room-state.ts'
import { answerCalls } from '../../../testing/contract-network.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeMessage, makeRoom } from '../../../testing/samples.ts'
import { Chat } from './chat.tsx'
import { useUnreadMessages } from './use-unread-messages.ts'

function Unread() {
  return <p>{`unread: ${useUnreadMessages()}`}</p>
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const write = (text: string) => fireEvent.change(field(), { target: { value: text } })
const enter = (init = {}) => fireEvent.keyDown(field(), { key: 'Enter', ...init })
const outgoing = () => currentVisit.getState()?.store.getState().outgoing ?? []
const waiting = (part: object = {}) => ({
  id: 'c1',
  content: 'hello',
  writtenAtMs: 0,
  failure: null,
  ...part,
})

async function openChat(change: Partial<RoomState> = {}) {
  const view = await renderInRoom(
    <>
      <Chat />
      <Unread />
    </>,
  )
  act(() => view.change(change))
  return view
}

beforeEach(() => sessionStorage.clear())

describe('writing', () => {
  it('17.54 Enter sends, Shift and Enter begin a line, and the message shows at once', async () => {
    await openChat()
    write('first line')
    expect(enter({ shiftKey: true })).toBe(true)
    expect(outgoing()).toEqual([])
    write('first line\nsecond line')
    expect(enter()).toBe(false)
    expect(outgoing()).toMatchObject([{ content: 'first line\nsecond line' }])
    expect(screen.getByRole('log').textContent).toContain('first line\nsecond line')
    expect(field().value).toBe('')
  })

  it('17.399 on a touch screen Enter begins a line, and sends together with Ctrl or Command', async () => {
    const asked = vi
      .spyOn(window, 'matchMedia')
      .mockImplementation((media) =>
        Object.assign(new EventTarget(), { matches: media === '(pointer: coarse)' } as MediaQueryList),
      )
    onTestFinished(() => asked.mockRestore())
    await openChat()
    write('first line')
    expect(enter()).toBe(true)
    expect(outgoing()).toEqual([])
    expect(field().getAttribute('enterkeyhint')).toBe('enter')
    write('first line\nsecond line')
    expect(enter({ ctrlKey: true })).toBe(false)
    write('third')
    expect(enter({ metaKey: true })).toBe(false)
    expect(outgoing()).toMatchObject([{ content: 'first line\nsecond line' }, { content: 'third' }])
  })

  it('17.234 guests who may not chat are told so in the place of the field, as soon as the owner decides', async () => {
    const room = (guestsChat: boolean) => makeRoom({ settings: { ...defaultRoomSettings, guestsChat } })
    const { change } = await renderInRoom(<Chat />, { room: room(true), isGuest: true })
    write('half a sentence')
    act(() => change({ room: room(false) }))
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.getByText('Guests cannot chat in this room.')).toBeDefined()
    act(() => change({ room: room(true) }))
    expect(field().value).toBe('half a sentence')
  })

  it('17.234 an account writes where guests may not', async () => {
    const settings = { ...defaultRoomSettings, guestsChat: false }
    await renderInRoom(<Chat />, { room: { settings } })
    expect(field()).toBeDefined()
  })

  it('does not send while an input method is composing', async () => {
    await openChat()
    write('にほん')
    enter({ isComposing: true })
    enter({ keyCode: 229 })
    expect(outgoing()).toEqual([])
  })

  it('5.4 does not send what is blank or invisible', async () => {
    await openChat()
    for (const text of ['', '  \n ', '\u200B\u202E']) {
      write(text)
      enter()
    }
    expect(outgoing()).toEqual([])
  })

  it('17.50 counts the characters near the limit, and keeps what is too long', async () => {
    await openChat()
    write('x'.repeat(limits.messageMaxLength - 101))
    expect(screen.getByRole('status').textContent).toBe('')
    write('👋'.repeat(limits.messageMaxLength - 1))
    expect(screen.getByRole('status').textContent).toBe('1 character left')
    write('👋'.repeat(limits.messageMaxLength + 2))
    expect(screen.getByRole('status').textContent).toBe('2 characters too many')
    enter()
    expect(outgoing()).toEqual([])
    expect(field().value).toHaveLength(2 * (limits.messageMaxLength + 2))
  })

  it('17.55 says how long to wait after writing fast, keeps what is typed, and then sends again', async () => {
    const { change } = await openChat()
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    write('next one')
    act(() => change({ chatPausedUntilMs: performance.timeOrigin + performance.now() + 2_500 }))
    expect(screen.getByRole('status').textContent).toBe('You are writing fast. Next message in 3 s')
    enter()
    expect(field().value).toBe('next one')
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(screen.getByRole('status').textContent).toBe('You are writing fast. Next message in 2 s')
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(screen.getByRole('status').textContent).toBe('')
    enter()
    expect(outgoing()).toMatchObject([{ content: 'next one' }])
  })

  it('17.59 keeps a draft over a reload, and forgets it when it is sent', async () => {
    const before = await openChat()
    write('half a thought')
    before.unmount()
    const again = await openChat()
    expect(field().value).toBe('half a thought')
    enter()
    again.unmount()
    await openChat()
    expect(field().value).toBe('')
  })
})

it('17.59 a draft of a guest is there for the account that the guest creates', async () => {
  sessionStorage.setItem('draft:v1:guest:r1', JSON.stringify('half a thought'))
  const account = await openChat()
  expect(field().value).toBe('half a thought')
  enter()
  account.unmount()
  await openChat()
  expect(field().value).toBe('')
})

describe('what is not acknowledged', () => {
  it('17.54 is marked as being sent, or as waiting for the connection with a way to discard it', async () => {
    const { change } = await openChat({ connection: 'connected', outgoing: [waiting()] })
    expect(screen.getByText('Sending')).toBeTruthy()
    act(() => change({ connection: 'disconnected' }))
    expect(screen.getByText('Will be sent when you are connected again.')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.queryByText('hello')).toBeNull()
  })

  it('17.54 says why it was refused, and offers to retry or discard', async () => {
    await openChat({
      outgoing: [waiting({ failure: 'internal' }), waiting({ id: 'c2', failure: 'internal' })],
    })
    expect(screen.getAllByText('Not sent. Something went wrong on the server.')).toHaveLength(2)
    fireEvent.click(screen.getAllByRole('button', { name: 'Retry' })[0]!)
    expect(outgoing()[0]?.failure).toBeNull()
    fireEvent.click(screen.getAllByRole('button', { name: 'Discard' }).at(-1)!)
    expect(outgoing().map(({ id }) => id)).toEqual(['c1'])
  })
})

describe('reading', () => {
  it('17.57 opens links in a new tab, without telling them where they come from', async () => {
    const content = 'look: https://example.org/a javascript:alert(1)'
    await openChat({ messages: [makeMessage({ content })] })
    const [link, ...others] = screen.getAllByRole('link')
    expect(others).toEqual([])
    expect(link?.outerHTML).toContain('rel="noopener noreferrer nofollow"')
    expect(link?.getAttribute('target')).toBe('_blank')
    expect(screen.getByText(/look:/).getAttribute('dir')).toBe('auto')
  })

  it('17.57 shortens a message of many lines', async () => {
    const content = Array.from({ length: 500 }, (_, line) => line).join('\n')
    await openChat({ messages: [makeMessage({ content })] })
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull()
  })

  it('17.53 counts what is unread while the chat is not shown', async () => {
    const messages = [1, 2, 3].map((index) => makeMessage({ id: `m${index}`, user_id: 'u2' }))
    await openChat({ messages, lastReadId: 'm1' })
    // Without a layout the chat is as if it were in a tab that is not shown.
    expect(screen.getByText('unread: 2')).toBeTruthy()
  })

  it('17.105 the focus goes to the messages when one is deleted, and back to its button when it is kept', async () => {
    answerCalls({ 'DELETE /api/rooms/:roomId/messages/:messageId': () => ({}) })
    await openChat({ messages: [makeMessage(), makeMessage({ id: 'm2', content: 'other' })] })
    const ask = () => {
      const button = screen.getAllByRole('button', { name: 'Delete message' })[0]!
      act(() => button.focus())
      fireEvent.click(button)
      return button
    }
    const choose = async (name: string) => {
      fireEvent.click(await screen.findByRole('button', { name }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    const kept = ask()
    await choose('Cancel')
    expect(document.activeElement).toBe(kept)
    ask()
    await choose('Delete')
    expect(screen.queryByText('Hello')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('log'))
  })

  it('17.52 draws the latest messages of a long chat', async () => {
    const messages = Array.from({ length: 1_500 }, (_, index) =>
      makeMessage({ id: `m${1_000 + index}`, content: `message ${index}`, created_at: index }),
    )
    await openChat({ messages })
    expect(screen.getByText('message 1499')).toBeTruthy()
    expect(screen.getAllByRole('listitem').length).toBeLessThan(200)
  })

  it('17.52 says when older messages cannot be loaded, and tries again when asked', async () => {
    let calls = 0
    answerCalls({
      'GET /api/rooms/:roomId/messages': () => {
        calls += 1
        if (calls < 2) throw new AppError('internal')
        return { messages: [makeMessage({ id: 'm0', content: 'older' })], hasMore: false }
      },
    })
    await openChat({ messages: [makeMessage({ id: 'm1' })], hasOlderMessages: true })
    const log = screen.getByRole('log')
    Object.defineProperty(log, 'clientHeight', { value: 100 })
    fireEvent.scroll(log)
    await screen.findByText('Could not load older messages.')
    const before = calls
    fireEvent.scroll(log)
    expect(calls).toBe(before)
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(calls).toBeGreaterThan(before))
    await screen.findByText('older')
  })

  it('17.476 where all messages that the page has were deleted, the ones before them follow', async () => {
    const asked: (string | null)[] = []
    answerCalls({
      'GET /api/rooms/:roomId/messages': ({ query }) => {
        asked.push(query.get('before'))
        return { messages: [makeMessage({ id: 'm0', content: 'older' })], hasMore: false }
      },
    })
    const { change } = await openChat({ messages: [makeMessage({ id: 'm1' })], hasOlderMessages: true })
    Object.defineProperty(screen.getByRole('log'), 'clientHeight', { value: 100 })
    act(() => change({ messages: [] }))
    await screen.findByText('older')
    expect(asked).toEqual([null])
  })
})
