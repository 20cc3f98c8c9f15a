import { fireEvent, screen } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { makeRoom } from '../../testing/samples.ts'
import { NoticesOnDemand } from '../../ui/notices-on-demand.tsx'
import { InviteLink } from './invite-link.tsx'

/** Defines properties of a browser that jsdom lacks. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(target, name))
}

it('17.103 a link that the browser does not let copy is selected, and the page says so', async () => {
  define(window, 'isSecureContext', true)
  define(navigator, 'clipboard', { writeText: () => Promise.reject(new Error('denied')) })
  await renderInRoom(
    <>
      <InviteLink room={makeRoom()} isOwner={false} />
      <NoticesOnDemand />
    </>,
    {},
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Copy link' }))
  await screen.findByText('Could not copy the link')
  const field = screen.getByLabelText<HTMLInputElement>('Link to this room')
  expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe(field.value)
})
