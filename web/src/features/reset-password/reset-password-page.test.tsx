import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { answerAuth, answerCalls, type Asked } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeConfig, makeSources } from '../../testing/samples.ts'

const fill = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

function answer(path: 'request-password-reset' | 'reset-password', respond: () => Response): Asked[] {
  const asked: Asked[] = []
  answerAuth({
    [`POST /api/auth/${path}`]: (call: Asked) => {
      asked.push(call)
      return respond()
    },
  })
  return asked
}

const accept = () => Response.json({ status: true })
const refuse = (status: number, body: object | null) => () => Response.json(body, { status })

describe('asking for a new password', () => {
  it('16.20 leads from login to a form with the address that was typed there, and sends it', async () => {
    const asked = answer('request-password-reset', accept)
    answerCalls({
      'GET /api/sources': () => ({ sources: makeSources() }),
      'GET /api/config': () => makeConfig({ mailConfirmation: true }),
    })
    const { pathname } = await renderApp({ path: '/login' })
    await fill('Email', ' ann@example.org')
    fireEvent.click(screen.getByRole('link', { name: 'Forgot password?' }))
    await screen.findByRole('heading', { name: 'Set a new password' })
    await waitFor(() => expect(pathname()).toBe('/reset-password'))
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'ann@example.org')
    press('Send Link')
    await screen.findByText('If there is an account with this address, we have sent a link.')
    expect(asked.map(({ body }) => body)).toEqual([{ email: 'ann@example.org' }])
    expect(screen.getByText(/The link works for an hour/)).toBeDefined()
  })

  it('16.20 names who can help where the server sends no email', async () => {
    answer('request-password-reset', accept)
    await renderApp({ path: '/reset-password' })
    await fill('Email', 'ann@example.org')
    press('Send Link')
    const text = 'This server sends no email: ask whoever runs it for the link.'
    expect(await screen.findByText(text)).toBeDefined()
  })

  it('16.20 needs an address, and says what went wrong', async () => {
    const asked = answer('request-password-reset', refuse(400, { message: 'Invalid email address' }))
    await renderApp({ path: '/reset-password' })
    await screen.findByLabelText('Email')
    press('Send Link')
    await screen.findByText('Email is required')
    expect(asked).toEqual([])
    await fill('Email', 'ann')
    press('Send Link')
    await screen.findByText('Invalid email address')
    answer('request-password-reset', refuse(500, null))
    press('Send Link')
    await screen.findByText('The link could not be sent. Try again in a moment.')
  })
})

it('17.105, 17.345 a link that was sent is told in a region that was there before, and the focus stays in the page', async () => {
  answer('request-password-reset', accept)
  await renderApp({ path: '/reset-password' })
  await fill('Email', 'ann@example.org')
  const region = screen.getByRole('status')
  expect(region.textContent).toBe('')
  screen.getByRole('button', { name: 'Send Link' }).focus()
  press('Send Link')
  await within(region).findByText(/we have sent a link/)
  expect(document.activeElement?.id).toBe('content')
})

it('17.105 a link that does not work any more leaves the focus in the page', async () => {
  answer('reset-password', refuse(400, { code: 'INVALID_TOKEN', message: 'Invalid token' }))
  await renderApp({ path: '/reset-password#the-token' })
  await fill('New Password', '123456')
  screen.getByRole('button', { name: 'Set Password' }).focus()
  press('Set Password')
  await screen.findByText(/This link has expired or was already used/)
  expect(document.activeElement?.id).toBe('content')
})

it('2.30c the page from which somebody came survives a forgotten password, on the way back and over the mailed link', async () => {
  const state = { from: '/room/r1#invite=secret' }
  answer('request-password-reset', accept)
  answer('reset-password', accept)
  answerCalls({ 'GET /api/sources': () => ({ sources: makeSources() }) })
  const { location, unmount } = await renderApp({ path: '/login', state })
  fireEvent.click(await screen.findByRole('link', { name: 'Forgot password?' }))
  await fill('Email', 'ann@example.org')
  press('Send Link')
  await screen.findByText(/we have sent a link/)
  fireEvent.click(screen.getByRole('link', { name: 'Back to Sign In' }))
  await waitFor(() => expect(location()).toMatchObject({ pathname: '/login', state }))
  unmount()
  const mailed = await renderApp({ path: '/reset-password#the-token' })
  await fill('New Password', '123456')
  press('Set Password')
  await waitFor(() => expect(mailed.location()).toMatchObject({ pathname: '/login', state }))
})

describe('the mailed link', () => {
  it('16.21 sets a password of at least 6 characters, and leads to login with a notice', async () => {
    const asked = answer('reset-password', accept)
    answerCalls({ 'GET /api/sources': () => ({ sources: makeSources() }) })
    const { pathname } = await renderApp({ path: '/reset-password#the-token', isSignedIn: true })
    await fill('New Password', '12345')
    press('Show password')
    expect(screen.getByLabelText('New Password')).toHaveProperty('type', 'text')
    press('Set Password')
    await screen.findByText('Password must be at least 6 characters')
    expect(asked).toEqual([])
    await fill('New Password', '123456')
    answerAuth({ 'GET /api/auth/get-session': () => Response.json(null) })
    press('Set Password')
    await screen.findByText('Your password has been changed')
    await waitFor(() => expect(pathname()).toBe('/login'))
    expect(asked.map(({ body }) => body)).toEqual([{ token: 'the-token', newPassword: '123456' }])
  })

  it('16.21 that expired or was used says so and offers a new one', async () => {
    answer('reset-password', refuse(400, { code: 'INVALID_TOKEN', message: 'Invalid token' }))
    await renderApp({ path: '/reset-password#the-token' })
    await fill('New Password', '123456')
    press('Set Password')
    await screen.findByText(/This link has expired or was already used/)
    expect(screen.getByRole('button', { name: 'Send Link' })).toBeDefined()
    expect(screen.queryByLabelText('New Password')).toBeNull()
  })

  it('16.21 keeps what was typed where the server fails', async () => {
    answer('reset-password', refuse(500, null))
    await renderApp({ path: '/reset-password#the-token' })
    await fill('New Password', '123456')
    press('Set Password')
    await screen.findByText('The password could not be changed. Try again in a moment.')
    expect(screen.getByLabelText('New Password')).toHaveProperty('value', '123456')
  })
})
