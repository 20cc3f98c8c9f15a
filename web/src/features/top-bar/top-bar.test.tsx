import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() =>
  answerCalls({ 'GET /api/rooms': () => ({ rooms: [] }), 'GET /api/sources': () => ({ sources: [] }) }),
)

async function findInMenu(name: string): Promise<HTMLElement> {
  fireEvent.click(await screen.findByRole('button', { name: 'Account of ann' }))
  return screen.findByRole('menuitem', { name })
}

it('2.10b the links fold into a menu', async () => {
  await renderApp({ path: '/' })
  const open = screen.getByRole('button', { name: 'Open menu' })
  const menu = document.getElementById(open.getAttribute('aria-controls') ?? '')
  expect([open.getAttribute('aria-expanded'), menu?.hidden]).toEqual(['false', true])
  fireEvent.click(open)
  expect(screen.getByRole('button', { name: 'Close menu' }).getAttribute('aria-expanded')).toBe('true')
  expect(menu?.hidden).toBe(false)
})

it('17.458 another page closes the menus, and they stay closed on the way back', async () => {
  const { pathname } = await renderApp({ path: '/explore', isSignedIn: true })
  const account = await screen.findByRole('button', { name: 'Account of ann' })
  const menu = screen.getByRole('button', { name: 'Open menu' })
  const isOpen = () => [account, menu].map((button) => button.getAttribute('aria-expanded'))
  const goTo = async (name: string, path: string) => {
    const [link] = screen.getAllByRole('link', { name, hidden: true })
    if (link) fireEvent.click(link)
    await waitFor(() => expect(pathname()).toBe(path))
  }
  fireEvent.click(menu)
  fireEvent.click(account)
  expect(isOpen()).toEqual(['true', 'true'])
  await goTo('Home', '/')
  expect(isOpen()).toEqual(['false', 'false'])
  await goTo('Explore Rooms', '/explore')
  expect(isOpen()).toEqual(['false', 'false'])
})

it('2.10e links to Explore Rooms, and from the avatar menu to the profile', async () => {
  await renderApp({ path: '/nowhere', isSignedIn: true })
  const links = screen.getAllByRole('link', { name: 'Explore Rooms' })
  expect(links[0]?.getAttribute('href')).toBe('/explore')
  expect((await findInMenu('Profile')).getAttribute('href')).toBe('/profile')
  expect(screen.getByRole('menu').textContent).toContain('ann@example.org')
})

it('2.11b the hero of home leads to the profile', async () => {
  await renderApp({ path: '/' })
  const link = await screen.findByRole('link', { name: 'My Profile' })
  expect(link.getAttribute('href')).toBe('/profile')
})

it('2.10d signed out there is a Sign In button that leads to login', async () => {
  const { pathname, location } = await renderApp({ path: '/explore' })
  const press = async () => fireEvent.click(await screen.findByRole('link', { name: 'Sign In' }))
  await press()
  await waitFor(() => expect(pathname()).toBe('/login'))
  await press()
  expect(location()).toMatchObject({ pathname: '/login', state: { from: '/explore' } })
})

it('2.40 logging out returns home and shows a notice', async () => {
  answerAuth({
    'POST /api/auth/sign-out': () => {
      answerAuth({ 'GET /api/auth/get-session': () => Response.json(null) })
      return Response.json({ success: true })
    },
  })
  const { pathname } = await renderApp({ path: '/nowhere', isSignedIn: true })
  fireEvent.click(await findInMenu('Logout'))
  await screen.findByText('You have been signed out successfully')
  await waitFor(() => expect(pathname()).toBe('/'))
  await screen.findByRole('link', { name: 'Sign In' })
})

it('8.11a reports a failed logout', async () => {
  answerAuth({ 'POST /api/auth/sign-out': () => Response.json({ message: 'No' }, { status: 500 }) })
  await renderApp({ path: '/nowhere', isSignedIn: true })
  fireEvent.click(await findInMenu('Logout'))
  expect(await screen.findByText('Error signing out')).toBeDefined()
})
