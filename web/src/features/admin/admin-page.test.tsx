import { AppError } from '@earshot/core/protocol/errors'
import { QueryClientProvider, useQueries } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { adminStatusQuery, libraryStateQuery, serverInvitesQuery } from '../../api/admin.ts'
import { createQueryClient } from '../../api/queries.ts'
import { SessionProvider } from '../../api/session.tsx'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { keepSession, sessionStore } from '../../testing/kept-session.ts'
import { renderApp, renderRoutes } from '../../testing/render-app.tsx'
import { makeProfile, makeSession } from '../../testing/samples.ts'
import { AdminPage } from './admin-page.tsx'

const storage = {
  databaseBytes: 1_500_000,
  coversBytes: 0,
  cacheBytes: 900,
  copiesBytes: 7_000,
  freeDiskBytes: 42e9,
}
const figures = {
  version: '1.2.3',
  uptimeMs: 90_000_000,
  users: 3,
  rooms: 2,
  members: 1,
  sockets: 4,
  memoryBytes: 120e6,
  eventLoopDelayMs: 11.25,
  storage,
}

const answerStatus = (isAdmin: boolean, isCodeAwaited = false) =>
  answerCalls({ 'GET /api/admin/status': () => ({ isAdmin, isCodeAwaited }) })

beforeEach(() => {
  answerCalls({
    'GET /api/rooms': () => ({ rooms: [] }),
    'GET /api/profile': () => ({ profile: makeProfile() }),
    'GET /api/admin/figures': () => ({ figures }),
  })
  answerStatus(true)
})

async function openTab(name: string) {
  await renderApp({ path: '/admin', isSignedIn: true })
  fireEvent.click(await screen.findByRole('tab', { name }))
}

it('16.36a members see the page of unknown addresses', async () => {
  answerStatus(false)
  await renderApp({ path: '/admin', isSignedIn: true })
  expect(await screen.findByText('There is nothing at this address.')).toBeDefined()
})

const guest = () => {
  const { session, user } = makeSession()
  return { session, user: { ...user, isAnonymous: true } }
}

it.each([
  ['visitors', () => null],
  ['guests', guest],
])('16.36a %s are asked to sign in, and return', async (_who, makeAnswer) => {
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeAnswer()) })
  keepSession()
  await sessionStore?.get().refetch()
  const { location } = renderRoutes({ path: '/admin' })
  await screen.findByText('Please sign in to administer this server')
  await waitFor(() => expect(location()).toMatchObject({ pathname: '/login', state: { from: '/admin' } }))
})

it('16.35 a server without an administrator asks for the code, and keeps what was typed', async () => {
  answerStatus(false, true)
  answerCalls({
    'POST /api/admin/claim': ({ body }) => {
      if ((body as { code: string }).code !== 'RIGHT') throw new AppError('wrong_code')
      answerStatus(true)
      return {}
    },
  })
  await renderApp({ path: '/admin', isSignedIn: true })
  const field = await screen.findByLabelText('Code')
  const send = () => fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  send()
  await screen.findByText('Enter the code')
  fireEvent.change(field, { target: { value: 'WRONG' } })
  send()
  await screen.findByText('This code is wrong or expired.')
  expect(field).toHaveProperty('value', 'WRONG')
  fireEvent.change(field, { target: { value: 'RIGHT' } })
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Continue' })).toHaveProperty('disabled', false),
  )
  send()
  await screen.findByRole('heading', { name: 'Administration' })
})

it('16.36b, 16.219 shows live figures and the storage used', async () => {
  await renderApp({ path: '/admin', isSignedIn: true })
  const now = within(await screen.findByRole('region', { name: 'Now' }))
  for (const text of ['1 d 1 h', '120 MB', '11.3 ms', '1.2.3']) now.getByText(text)
  const used = within(screen.getByRole('region', { name: 'Storage' }))
  for (const text of ['1.5 MB', '0 B', '900 B', '7 kB', '42 GB']) expect(used.getByText(text)).toBeDefined()
})

it('16.33 creates an invite, shows its link once, and revokes it', async () => {
  const invite = {
    id: 'i1',
    note: 'for bob',
    createdAt: 0,
    expiresAt: 86_400_000,
    uses: 0,
    maxUses: 3,
    givesLibraryAccess: true,
  }
  let invites = [invite]
  const sent: unknown[] = []
  answerCalls({
    'GET /api/admin/invites': () => ({ invites }),
    'POST /api/admin/invites': ({ body }) => {
      sent.push(body)
      return { invite, token: 'tok', link: 'https://music.example/login#invite=tok' }
    },
    'DELETE /api/admin/invites/:inviteId': () => {
      invites = []
      return {}
    },
  })
  await openTab('Invites')
  const uses = await screen.findByLabelText('Number of accounts')
  fireEvent.change(uses, { target: { value: '0' } })
  screen.getByText('From 1 to 1000')
  fireEvent.click(screen.getByRole('button', { name: 'Create Invite' }))
  expect(sent).toEqual([])
  fireEvent.change(uses, { target: { value: '3' } })
  fireEvent.click(screen.getByRole('button', { name: 'Create Invite' }))
  await screen.findByText('https://music.example/login#invite=tok')
  expect(sent).toEqual([{ note: '', uses: 3, days: 14, givesLibraryAccess: true }])
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke the invite “for bob”' }))
  await screen.findByText('No invites')
})

it('16.36b scans the library, shows the files that cannot be used, and renames and deletes rooms', async () => {
  let isScanning = false
  answerCalls({
    'GET /api/admin/library': () => ({
      library: {
        isScanning,
        reason: null,
        trackCount: 1_234,
        problemCount: 300,
        problems: [{ path: 'a/broken.mp3', reason: 'It has no audio' }],
      },
    }),
    'POST /api/admin/library/scan': () => {
      isScanning = true
      return {}
    },
    'GET /api/admin/rooms': () => ({
      rooms: [{ id: 'r1', name: 'Attic', isPublic: false, ownerName: 'ann', members: 1, createdAt: 0 }],
      total: 1,
      nextOffset: null,
    }),
    'DELETE /api/admin/rooms/:roomId': () => ({}),
  })
  await openTab('Library')
  await screen.findByText('1,234 tracks')
  screen.getByText('a/broken.mp3')
  screen.getByText('The first 1 are shown.')
  fireEvent.click(screen.getByRole('button', { name: 'Scan Now' }))
  await screen.findByText(/is being scanned/)
  fireEvent.click(screen.getByRole('tab', { name: 'Rooms' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Attic' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Attic?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

function FailedReads() {
  const reads = useQueries({ queries: [adminStatusQuery, serverInvitesQuery, libraryStateQuery] })
  return <p>{`${reads.filter(({ isError }) => isError).length} reads failed`}</p>
}

it('17.340 what is open and typed stays where the administration cannot be read again', async () => {
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
  keepSession()
  await sessionStore?.get().refetch()
  const library = { isScanning: false, reason: null, trackCount: 7, problemCount: 0, problems: [] }
  answerCalls({
    'GET /api/admin/invites': () => ({ invites: [] }),
    'GET /api/admin/library': () => ({ library }),
  })
  const client = createQueryClient()
  render(
    <MemoryRouter>
      <QueryClientProvider client={client}>
        <SessionProvider>
          <AdminPage fallback={null} />
          <FailedReads />
        </SessionProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  )
  fireEvent.click(await screen.findByRole('tab', { name: 'Invites' }))
  await screen.findByText('No invites')
  fireEvent.change(screen.getByLabelText('For whom (optional)'), { target: { value: 'for bob' } })
  const fail = () => {
    throw new AppError('internal')
  }
  const reads = ['status', 'figures', 'invites', 'library'] as const
  answerCalls(Object.fromEntries(reads.map((read) => [`GET /api/admin/${read}`, fail])))
  await act(() => client.refetchQueries({ queryKey: ['admin'] }))
  await screen.findByText('3 reads failed')
  expect(screen.getByLabelText('For whom (optional)')).toHaveProperty('value', 'for bob')
  expect(screen.getByText('No invites')).toBeDefined()
  fireEvent.click(screen.getByRole('tab', { name: 'Library' }))
  expect(screen.getByText('7 tracks')).toBeDefined()
})
