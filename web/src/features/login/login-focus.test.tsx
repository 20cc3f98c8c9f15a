import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeProfile, makeSources } from '../../testing/samples.ts'

beforeEach(() =>
  answerCalls({
    'GET /api/sources': () => ({ sources: makeSources() }),
    'GET /api/rooms': () => ({ rooms: [] }),
    'GET /api/profile': () => ({ profile: makeProfile() }),
  }),
)

function useMouse(): void {
  const asked = vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      Object.assign(new EventTarget(), {
        media,
        matches: media.includes('pointer: fine'),
      }) as MediaQueryList,
  )
  onTestFinished(() => asked.mockRestore())
}

const signUpTab = () => screen.findByRole('tab', { name: 'Sign Up' })
const signUpForm = () => screen.findByRole('button', { name: 'Sign Up' })

it('17.99 with a mouse the email has the focus, also after a click on the other tab', async () => {
  useMouse()
  await renderApp({ path: '/login' })
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')))
  fireEvent.click(await signUpTab(), { detail: 1 })
  await signUpForm()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Email')))
  const fields = screen.getAllByRole('textbox').map((field) => field.getAttribute('name'))
  expect(fields).toEqual(['email', 'name'])
})

it('17.99 a tab that is chosen by key keeps the focus', async () => {
  useMouse()
  await renderApp({ path: '/login' })
  const tab = await signUpTab()
  tab.focus()
  fireEvent.click(tab, { detail: 0 })
  await signUpForm()
  expect(document.activeElement).toBe(tab)
})

it('17.99 a press on a tab leaves one form on the page at once', async () => {
  // With animations, the panel that leaves stays for a frame.
  Element.prototype.getAnimations = () => []
  onTestFinished(() => void Reflect.deleteProperty(Element.prototype, 'getAnimations'))
  await renderApp({ path: '/login' })
  fireEvent.click(await signUpTab())
  expect(screen.getAllByLabelText('Email')).toHaveLength(1)
})

it('17.99 without a mouse no field has the focus', async () => {
  await renderApp({ path: '/login' })
  await screen.findByLabelText('Email')
  expect(document.activeElement?.tagName).not.toBe('INPUT')
})

it('17.99 with a mouse the name of a new room has the focus', async () => {
  useMouse()
  await renderApp({ path: '/create-room', isSignedIn: true })
  const field = await screen.findByLabelText('Room Name')
  await waitFor(() => expect(document.activeElement).toBe(field))
})
