import { fireEvent, screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { makeConfig, makeRoom } from '../../testing/samples.ts'
import { NoticesOnDemand } from '../../ui/notices/notices-on-demand.tsx'
import { InviteLink } from './invite-link.tsx'

const loadNotices = async () => (await import('../../ui/notices/notices.tsx')).Notices

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
      <NoticesOnDemand load={loadNotices} />
    </>,
    {},
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Copy link' }))
  await screen.findByText('Could not copy the link')
  const field = screen.getByLabelText<HTMLInputElement>('Link to this room')
  expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe(field.value)
})

it('16.177 the link begins with the first address of the server, wherever the page was opened', async () => {
  answerCalls({ 'GET /api/config': () => makeConfig({ publicUrl: 'http://nas.local:3000' }) })
  await renderInRoom(<InviteLink room={makeRoom()} isOwner={false} />, {})
  const field = await screen.findByLabelText<HTMLInputElement>('Link to this room')
  await vi.waitFor(() => expect(field.value).toBe('http://nas.local:3000/room/r1'))
  screen.getByText('QR code of the link')
  expect(screen.queryByText(/works on this computer only/)).toBeNull()
})

it('16.177 a link that works on this computer only says so, and shows no QR code', async () => {
  await renderInRoom(<InviteLink room={makeRoom()} isOwner={false} />, {})
  await screen.findByText(/This link works on this computer only.*HOST=0\.0\.0\.0/)
  expect(screen.getByLabelText<HTMLInputElement>('Link to this room').value).toMatch(/^http:\/\/localhost/)
  expect(screen.queryByText('QR code of the link')).toBeNull()
})
