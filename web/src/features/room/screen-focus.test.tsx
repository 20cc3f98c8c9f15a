import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { currentVisit } from '../../engine/current-visit.ts'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { makeDoor, makeSession } from '../../testing/samples.ts'
import { contentId } from '../../ui/page/content-focus.ts'
import { RoomScreen } from './room-page.tsx'

async function renderScreen() {
  const { change } = await renderInRoom(
    <main id={contentId} tabIndex={-1}>
      <RoomScreen />
    </main>,
  )
  // Otherwise the connection, which fails here, would set the phase again.
  currentVisit.getState()?.leave()
  return (...part: Parameters<typeof change>) => act(() => change(...part))
}

const hasContentFocus = () => document.activeElement?.id === contentId

it('17.105 who is banned while a part of the room has the focus, and tries again, keeps it in the page', async () => {
  const setRoom = await renderScreen()
  setRoom({ phase: 'joined', joinError: null })
  screen.getAllByRole('button')[0]?.focus()
  setRoom({ phase: 'not_found', joinError: 'banned' })
  expect(hasContentFocus()).toBe(true)
  const again = await screen.findByRole('button', { name: 'Try again' })
  again.focus()
  setRoom({ phase: 'loading', joinError: null })
  expect(hasContentFocus()).toBe(true)
})

it('17.105 the right password of a private room moves the focus to the room', async () => {
  const setRoom = await renderScreen()
  setRoom({ phase: 'not_found', joinError: 'password_required' })
  const field = await screen.findByLabelText('Room Password')
  await waitFor(() => expect(document.activeElement).toBe(field))
  setRoom({ phase: 'joined', joinError: null })
  expect(hasContentFocus()).toBe(true)
})

it('17.105 a focus that is in no screen stays where it is', async () => {
  const setRoom = await renderScreen()
  setRoom({ phase: 'not_found', joinError: 'banned' })
  const again = await screen.findByRole('button', { name: 'Try again' })
  again.focus()
  again.blur()
  setRoom({ phase: 'not_found', joinError: 'not_a_member' })
  expect(document.activeElement).toBe(document.body)
})

it('17.105 a guest who enters by the door has the focus in the room', async () => {
  const { session, user } = makeSession()
  const guest = { session, user: { ...user, isAnonymous: true } }
  answerCalls({ 'GET /api/rooms/:roomId/door': () => ({ door: makeDoor() }) })
  answerAuth({
    'POST /api/auth/sign-in/anonymous': () => {
      answerAuth({ 'GET /api/auth/get-session': () => Response.json(guest) })
      return Response.json({ token: 't', user: guest.user })
    },
  })
  await renderApp({ path: '/room/r1' })
  fireEvent.change(await screen.findByLabelText('Your name'), { target: { value: 'Gus' } })
  const listen = screen.getByRole('button', { name: 'Listen' })
  listen.focus()
  fireEvent.click(listen)
  await waitFor(() => expect(listen.isConnected).toBe(false))
  expect(hasContentFocus()).toBe(true)
})
