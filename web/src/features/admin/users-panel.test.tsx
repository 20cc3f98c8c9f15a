import type { AdminUser } from '@earshot/core/protocol/admin-calls'
import { AppError } from '@earshot/core/protocol/errors'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'

function makeUser(part: Partial<AdminUser> = {}): AdminUser {
  const flags = { isAdmin: false, isDisabled: false, hasLibraryAccess: false }
  return {
    id: 'u2',
    username: 'bob',
    email: 'bob@example.org',
    createdAt: 0,
    lastSeenAt: null,
    ...flags,
    ...part,
  }
}

beforeEach(() => answerCalls({ 'GET /api/admin/status': () => ({ isAdmin: true, isCodeAwaited: false }) }))

async function openUsers() {
  await renderApp({ path: '/admin', isSignedIn: true })
  fireEvent.click(await screen.findByRole('tab', { name: 'Users' }))
}

async function choose(action: string) {
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for bob' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: action }))
}

it('16.36b a part of a list that cannot be loaded leaves what is there', async () => {
  answerCalls({
    'GET /api/admin/users': ({ query }) => {
      if (query.get('offset') !== '0') throw new AppError('internal')
      return { users: [makeUser()], total: 2, nextOffset: 1 }
    },
  })
  await openUsers()
  fireEvent.click(await screen.findByRole('button', { name: 'Show More' }))
  expect((await screen.findByRole('alert')).textContent).toBe('This could not be loaded')
  expect(screen.getByText('bob')).toBeDefined()
})

it('16.37 disables a user after asking, and says why something is refused', async () => {
  const sent: unknown[] = []
  let user = makeUser()
  answerCalls({
    'GET /api/admin/users': () => ({ users: [user], total: 1, nextOffset: null }),
    'PATCH /api/admin/users/:userId': ({ body }) => {
      sent.push(body)
      if (sent.length === 2) throw new AppError('invalid_input', 'There must be an administrator')
      user = makeUser({ isDisabled: true })
      return { user }
    },
  })
  await openUsers()
  await choose('Disable')
  const dialog = within(await screen.findByRole('dialog', { name: 'Disable bob?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Disable' }))
  await screen.findByText('Disabled')
  await choose('Make Administrator')
  await screen.findByText('There must be an administrator')
  expect(sent).toEqual([{ isDisabled: true }, { isAdmin: true }])
})

it('16.228 deletes a user after asking', async () => {
  const sent: string[] = []
  let users = [makeUser()]
  answerCalls({
    'GET /api/admin/users': () => ({ users, total: users.length, nextOffset: null }),
    'DELETE /api/admin/users/:userId': ({ path }) => {
      sent.push(path)
      users = []
      return {}
    },
  })
  await openUsers()
  await choose('Delete')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete bob?' }))
  expect(sent).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await screen.findByText('No users found')
  expect(sent).toEqual(['/api/admin/users/u2'])
})

it('16.36b finds users by what is typed, and loads further pages', async () => {
  answerCalls({
    'GET /api/admin/users': ({ query }) => {
      const [q, offset] = [query.get('q') ?? '', Number(query.get('offset'))]
      if (q === 'nobody') return { users: [], total: 0, nextOffset: null }
      const id = `u${offset}`
      return {
        users: [makeUser({ id, username: `user ${offset}` })],
        total: 2,
        nextOffset: offset === 0 ? 1 : null,
      }
    },
  })
  await openUsers()
  await screen.findByText('user 0')
  fireEvent.click(screen.getByRole('button', { name: 'Show More' }))
  await screen.findByText('user 1')
  expect(screen.queryByRole('button', { name: 'Show More' })).toBeNull()
  fireEvent.change(screen.getByLabelText('Search users by name or email'), { target: { value: 'nobody' } })
  await screen.findByText('No users found')
})
