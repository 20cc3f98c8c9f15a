import { render } from '@testing-library/react'
import { Fragment, StrictMode, useLayoutEffect } from 'react'
import { type Location, MemoryRouter, parsePath, useLocation } from 'react-router'
import { Pages } from '../routes.tsx'
import { answerAuth } from './contract-network.ts'
import { keepSession, sessionStore } from './kept-session.ts'
import { makeSession } from './samples.ts'

interface AppOptions {
  /** With its query. */
  path: string
  /** The router state of the previous page. */
  state?: unknown
  isSignedIn?: boolean
  /** Runs effects twice, as the product does in development. */
  isStrict?: boolean
}

/** Renders the app at an address, on the network of contract-network.ts. */
export async function renderApp({ path, state, isSignedIn = false, isStrict = false }: AppOptions) {
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(isSignedIn ? makeSession() : null) })
  // The sign-in library caches the previous test's session for a second, so refetch it.
  keepSession()
  await sessionStore?.get().refetch()
  return renderRoutes({ path, state, isStrict })
}

/** Renders the app at an address, with whatever session the network answers. */
export function renderRoutes({ path, state, isStrict = false }: Omit<AppOptions, 'isSignedIn'>) {
  let location: Location | undefined
  const wrapper = isStrict ? StrictMode : Fragment
  const view = render(
    <MemoryRouter initialEntries={[{ ...parsePath(path), state }]}>
      <Pages />
      <Address onChange={(next) => (location = next)} />
    </MemoryRouter>,
    { wrapper },
  )
  return { ...view, location: () => location, pathname: () => location?.pathname }
}

function Address({ onChange }: { onChange: (location: Location) => void }) {
  const location = useLocation()
  useLayoutEffect(() => {
    onChange(location)
  })
  return null
}
