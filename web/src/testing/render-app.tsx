import { render } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { routes } from '../routes.tsx'
import { answerAuth } from './contract-network.ts'
import { keepSession, sessionStore } from './kept-session.ts'
import { makeSession } from './samples.ts'

interface AppOptions {
  path: string
  /** The router state of the previous page. */
  state?: unknown
  isSignedIn?: boolean
}

/** Renders the app at an address, on the network of contract-network.ts. */
export async function renderApp({ path, state, isSignedIn = false }: AppOptions) {
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(isSignedIn ? makeSession() : null) })
  // The sign-in library caches the previous test's session for a second, so refetch it.
  keepSession()
  await sessionStore?.get().refetch()
  const router = createMemoryRouter(routes, { initialEntries: [{ pathname: path, state }] })
  const view = render(<RouterProvider router={router} />)
  return { ...view, router, pathname: () => router.state.location.pathname }
}
