import { AppError } from '@earshot/core/protocol/errors'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { ownSessionsQuery } from '../../api/password.ts'
import { createQueryClient } from '../../api/queries.ts'
import { answerAuth, answerCalls, type Asked } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import {
  makeConfig,
  makeProfile,
  makeSession,
  makeSources,
  makeSpotify,
  makeYoutube,
} from '../../testing/samples.ts'
import { SessionList } from './session-list.tsx'

const stats = { totalRoomsCreated: 0, totalPlaytime: 0, favoriteService: null }

beforeEach(() =>
  answerCalls({
    'GET /api/rooms': () => ({ rooms: [] }),
    'GET /api/sources': () => ({ sources: makeSources() }),
    'GET /api/profile': () => ({ profile: makeProfile() }),
    'GET /api/profile/stats': () => ({ stats }),
    'GET /api/spotify': () => ({ connection: makeSpotify() }),
    'GET /api/youtube': () => ({ connection: makeYoutube() }),
  }),
)

async function press(name: string) {
  const card = within(await screen.findByRole('region', { name: 'Security' }))
  fireEvent.click(card.getByRole('button', { name }))
}
const openDialog = async (button: string) => {
  const view = await renderApp({ path: '/profile', isSignedIn: true })
  await press(button)
  return { ...view, dialog: within(await screen.findByRole('dialog')) }
}
type Dialog = Awaited<ReturnType<typeof openDialog>>['dialog']
const fill = (dialog: Dialog, label: string, value: string) =>
  fireEvent.change(dialog.getByLabelText(label), { target: { value } })

function answer(path: 'change-password' | 'revoke-other-sessions', respond: () => Response): Asked[] {
  const asked: Asked[] = []
  answerAuth({
    [`POST /api/auth/${path}`]: (call: Asked) => {
      asked.push(call)
      return respond()
    },
  })
  return asked
}

it('16.23 changes the password with the current one', async () => {
  const asked = answer('change-password', () => Response.json({ token: null }))
  const { dialog } = await openDialog('Change Password')
  const save = () => fireEvent.click(dialog.getByRole('button', { name: 'Save Password' }))
  save()
  dialog.getByText('Current password is required')
  fill(dialog, 'Current Password', 'old word')
  fill(dialog, 'New Password', '12345')
  save()
  dialog.getByText('Password must be at least 6 characters')
  expect(asked).toEqual([])
  fill(dialog, 'New Password', '123456')
  save()
  await screen.findByText('Your password has been changed')
  expect(asked.map(({ body }) => body)).toEqual([{ currentPassword: 'old word', newPassword: '123456' }])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it.each([
  [{ code: 'INVALID_PASSWORD', message: 'Invalid password' }, 'This is not your current password.'],
  [{ code: 'CREDENTIAL_ACCOUNT_NOT_FOUND' }, /has no password yet/],
  [{ message: 'Too many requests' }, 'Too many requests'],
  [null, 'The password could not be changed. Try again in a moment.'],
])('16.23 says why the password was not changed: %j', async (body, text) => {
  answer('change-password', () => Response.json(body, { status: 400 }))
  const { dialog } = await openDialog('Change Password')
  fill(dialog, 'Current Password', 'old word')
  fill(dialog, 'New Password', '123456')
  fireEvent.click(dialog.getByRole('button', { name: 'Save Password' }))
  expect(await dialog.findByText(text)).toBeDefined()
})

it('16.24 signs out everywhere else, or says that it could not', async () => {
  const asked = answer('revoke-other-sessions', () => Response.json({ status: true }))
  await renderApp({ path: '/profile', isSignedIn: true })
  await press('Sign Out Everywhere Else')
  await screen.findByText('You have been signed out everywhere else')
  expect(asked).toHaveLength(1)
  answer('revoke-other-sessions', () => new Response(null, { status: 500 }))
  await press('Sign Out Everywhere Else')
  await screen.findByText('Could not sign you out everywhere else')
})

it('16.25 deletes the account with its password, after saying what goes and what stays', async () => {
  const asked: unknown[] = []
  answerCalls({
    'POST /api/account/delete': ({ body }) => {
      asked.push(body)
      if (asked.length === 1) throw new AppError('wrong_password')
      answerAuth({ 'GET /api/auth/get-session': () => Response.json(null) })
      return {}
    },
  })
  const { dialog, pathname } = await openDialog('Delete Account')
  dialog.getByText(/your rooms with their queues and chats will be deleted for good/)
  dialog.getByText(/stay there, under the name “Unknown”/)
  const confirm = () => fireEvent.click(dialog.getByRole('button', { name: 'Delete Account' }))
  confirm()
  dialog.getByText('Password is required')
  expect(asked).toEqual([])
  fill(dialog, 'Your Password', 'wrong')
  confirm()
  await dialog.findByText('Wrong password. Try again.')
  fill(dialog, 'Your Password', 'right')
  await waitFor(() =>
    expect(dialog.getByRole('button', { name: 'Delete Account' })).toHaveProperty('disabled', false),
  )
  confirm()
  await screen.findByText('Your account has been deleted')
  expect(asked.at(-1)).toEqual({ password: 'right' })
  await waitFor(() => expect(pathname()).toBe('/'))
})

it('16.25 says how an account without a password gets one', async () => {
  answerCalls({
    'POST /api/account/delete': () => {
      throw new AppError('invalid_input', 'This account has no password yet.')
    },
  })
  const { dialog } = await openDialog('Delete Account')
  fill(dialog, 'Your Password', 'any')
  fireEvent.click(dialog.getByRole('button', { name: 'Delete Account' }))
  expect(await dialog.findByText('This account has no password yet.')).toBeDefined()
})

it('16.28a lists the sessions, this one first, and ends another', async () => {
  const at = new Date(Date.now()).toISOString()
  const times = { createdAt: at, updatedAt: at, expiresAt: at }
  const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
  let list = [
    { id: 's2', userId: 'u1', token: 'other', userAgent: chrome, ipAddress: '192.0.2.7', ...times },
    { id: 's1', userId: 'u1', token: 't', userAgent: 'curl/8', ipAddress: null, ...times },
  ]
  const asked: unknown[] = []
  answerAuth({
    'GET /api/auth/list-sessions': () => Response.json(list),
    'POST /api/auth/revoke-session': ({ body }: Asked) => {
      asked.push(body)
      list = list.filter(({ token }) => token === 't')
      return Response.json({ status: true })
    },
  })
  const { dialog } = await openDialog('Where You Are Signed In')
  await dialog.findByText('Chrome on Windows')
  expect(dialog.getAllByRole('listitem')[0]?.textContent).toContain('This device')
  fireEvent.click(dialog.getByRole('button', { name: 'Sign out of Chrome on Windows' }))
  await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(1))
  expect(asked).toEqual([{ token: 'other' }])
})

function FailedRead() {
  return useQuery(ownSessionsQuery).isError && <p>not read again</p>
}

it('17.340 the list of sessions stays where it cannot be read again', async () => {
  const at = new Date(Date.now()).toISOString()
  const session = { id: 's1', userId: 'u1', token: 't', userAgent: null, ipAddress: null }
  const list = [{ ...session, createdAt: at, updatedAt: at, expiresAt: at }]
  answerAuth({
    'GET /api/auth/list-sessions': () => Response.json(list),
    'GET /api/auth/get-session': () => Response.json(makeSession()),
  })
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { retry: false } })
  render(
    <QueryClientProvider client={client}>
      <SessionList />
      <FailedRead />
    </QueryClientProvider>,
  )
  await screen.findByText('Another program')
  answerAuth({ 'GET /api/auth/list-sessions': () => Response.json({}, { status: 500 }) })
  await act(() => client.refetchQueries(ownSessionsQuery))
  await screen.findByText('not read again')
  expect(screen.getByText('Another program')).toBeDefined()
})

it('16.28b changes the email with the password, and keeps what was typed where it is wrong', async () => {
  const asked: unknown[] = []
  answerAuth({
    'POST /api/auth/change-email': ({ body }: Asked) => {
      asked.push(body)
      if (asked.length > 1) return Response.json({ status: true })
      return Response.json({ code: 'wrong_password', message: 'Wrong password' }, { status: 403 })
    },
  })
  answerCalls({ 'GET /api/config': () => makeConfig() })
  const { dialog } = await openDialog('Change Email')
  fill(dialog, 'New Email', 'new@example.org')
  fill(dialog, 'Your Password', 'wrong')
  const save = () => fireEvent.click(dialog.getByRole('button', { name: 'Save Email' }))
  save()
  await dialog.findByText('This is not your current password.')
  expect(dialog.getByLabelText('New Email')).toHaveProperty('value', 'new@example.org')
  save()
  await screen.findByText('Your email address has been changed')
  expect(asked[1]).toMatchObject({ newEmail: 'new@example.org', password: 'wrong' })
})
