import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { pageVersion } from '../../api/page-data.ts'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const title = 'A new version is available'

beforeEach(() =>
  answerCalls({ 'GET /api/rooms': () => ({ rooms: [] }), 'GET /api/sources': () => ({ sources: [] }) }),
)

/** The page as the server of `version` served it. */
function servePage(version: string): void {
  const element = document.createElement('script')
  element.type = 'application/json'
  element.id = 'page-data'
  element.textContent = JSON.stringify({ version, config: {} })
  document.head.append(element)
  onTestFinished(() => {
    element.remove()
    pageVersion.setState({ isOutdated: false })
  })
}

/** The server answers as one that serves the page of `version`. */
function answerAs(version: string): void {
  answerAuth({
    'GET /api/auth/get-session': () => Response.json(null, { headers: { 'x-page-version': version } }),
  })
}

it('17.86 says that the server has a newer page, and Later hides it', async () => {
  servePage('first')
  await renderApp({ path: '/' })
  expect(screen.queryByText(title)).toBeNull()
  answerAs('second')
  const { sessionStore } = await import('../../testing/kept-session.ts')
  await sessionStore?.get().refetch()
  expect(await screen.findByText(title)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Later' }))
  expect(screen.queryByText(title)).toBeNull()
})

it('17.86 says nothing while the server serves the page that is open', async () => {
  servePage('first')
  answerAs('first')
  await renderApp({ path: '/' })
  const { sessionStore } = await import('../../testing/kept-session.ts')
  await sessionStore?.get().refetch()
  expect(screen.queryByText(title)).toBeNull()
})
