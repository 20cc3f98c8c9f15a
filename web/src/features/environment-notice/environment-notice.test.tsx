import { AppError } from '@earshot/core/protocol/errors'
import { pageDataId } from '@earshot/core/protocol/page-data'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeConfig } from '../../testing/samples.ts'

afterEach(() => void vi.useRealTimers())

const notice = async () => within(await screen.findByRole('complementary', { name: 'Environment' }))

it('2.39a, 2.39b a page without a server lacks the backend URL, and keeps saying so', async () => {
  answerCalls({
    'GET /api/config': () => {
      throw new AppError('not_found')
    },
  })
  await renderApp({ path: '/nowhere' })
  const open = await notice()
  expect(open.getByText('Missing required settings')).toBeDefined()
  expect(open.getByText(/^Backend URL/)).toBeDefined()
  expect(open.getByRole('link', { name: 'Setup documentation' }).getAttribute('href')).toBe('/setup.html')
  fireEvent.click(open.getByRole('button', { name: 'Collapse the environment notice' }))
  expect(open.queryByText(/^Backend URL/)).toBeNull()
  fireEvent.click(open.getByRole('button', { name: 'Open the environment notice' }))
  expect(open.getByText(/^Backend URL/)).toBeDefined()
})

it('2.39b a server that asks for its key lacks the key', async () => {
  answerCalls({
    'GET /api/config': () => {
      throw new AppError('client_key_required')
    },
  })
  await renderApp({ path: '/nowhere' })
  expect((await notice()).getByText(/^Publishable \(anonymous\) key/)).toBeDefined()
})

it('2.39a, 2.39b, 9.23 fallback values alone are listed for 10 s', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  answerCalls({ 'GET /api/config': () => makeConfig({ spotifyClientId: 'abc' }) })
  await renderApp({ path: '/nowhere' })
  const open = await notice()
  expect(open.getByText('Fallback values in use')).toBeDefined()
  expect(open.getByText(/^Socket server URL/)).toBeDefined()
  expect(open.getByText(/^Spotify redirect URI/).textContent).toContain('/callback')
  act(() => void vi.advanceTimersByTime(8_000))
  expect(open.queryByText('Fallback values in use')).not.toBeNull()
  act(() => void vi.advanceTimersByTime(2_100))
  expect(open.queryByText('Fallback values in use')).toBeNull()
})

it('2.39b nothing is said where nothing is missing', async () => {
  let answered = 0
  answerCalls({
    'GET /api/config': () => {
      answered += 1
      return makeConfig({ socketServers: ['https://one.example'], spotifyRedirectUri: null })
    },
  })
  await renderApp({ path: '/nowhere' })
  await vi.waitFor(() => expect(answered).toBe(1))
  expect(screen.queryByRole('complementary')).toBeNull()
})

it('2.39b nothing is said, nor asked, on a page of the server itself', async () => {
  let asked = 0
  const element = document.createElement('script')
  element.id = pageDataId
  element.type = 'application/json'
  element.textContent = JSON.stringify({ config: makeConfig(), user: null })
  document.head.append(element)
  onTestFinished(() => element.remove())
  answerCalls({
    'GET /api/config': () => {
      asked += 1
      return makeConfig()
    },
  })
  await renderApp({ path: '/nowhere' })
  await screen.findByText('There is nothing at this address.')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(asked).toBe(0)
})
