import { render } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { routes } from '../routes.tsx'
import { answerAuth } from './contract-network.ts'
import { keepSession, sessionStore } from './kept-session.ts'
import { makeSession } from './samples.ts'

interface AppOptions {
  path: string
  /** What the page that led here passed on. */
  state?: unknown
  isSignedIn?: boolean
}

/** Opens the real page at an address, on the network of contract-network.ts. */
export async function renderApp({ path, state, isSignedIn = false }: AppOptions) {
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(isSignedIn ? makeSession() : null) })
  // The sign-in library keeps the session of the test before for a second; it has to look again.
  keepSession()
  await sessionStore?.get().refetch()
  const router = createMemoryRouter(routes, { initialEntries: [{ pathname: path, state }] })
  const view = render(<RouterProvider router={router} />)
  return { ...view, router, pathname: () => router.state.location.pathname }
}
