import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { noteVersion, pageVersion } from '../../api/page-data.ts'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeConfig } from '../../testing/samples.ts'
import { UpdateNotice } from './update-notice.tsx'

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
    pageVersion.setState({ newer: null })
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

/** Renders the notice alone, on a fake clock, on a page of the version 'first'. */
function renderNotice() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  servePage('first')
  let asked = 0
  answerCalls({
    'GET /api/config': () => {
      asked += 1
      return makeConfig()
    },
  })
  render(<UpdateNotice />)
  return {
    asked: () => asked,
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
    serve: (version: string) => act(() => noteVersion(new Headers({ 'x-page-version': version }))),
    lackCode: () => act(() => void window.dispatchEvent(new Event('vite:preloadError'))),
    isShown: () => screen.queryByText(title) !== null,
    dismiss: () => fireEvent.click(screen.getByRole('button', { name: 'Later' })),
  }
}

it('17.409 however often code is missing, the server is asked for its version once between two regular questions', async () => {
  const { asked, pass, lackCode } = renderNotice()
  for (let count = 0; count < 10; count += 1) {
    lackCode()
    await pass(100)
  }
  expect(asked()).toBe(1)
  await pass(15 * 60_000)
  expect(asked()).toBe(2)
  lackCode()
  await pass(100)
  expect(asked()).toBe(3)
})

it('17.410 Later hides one version of the page, for a day', async () => {
  const { pass, serve, isShown, dismiss } = renderNotice()
  serve('second')
  dismiss()
  serve('second')
  await pass(23 * 60 * 60_000)
  expect(isShown()).toBe(false)
  await pass(60 * 60_000)
  expect(isShown()).toBe(true)
  dismiss()
  serve('third')
  expect(isShown()).toBe(true)
})

it('17.86 takes the notice back once the server has the version again that is open', () => {
  const { serve, isShown, dismiss } = renderNotice()
  serve('second')
  serve('first')
  expect(isShown()).toBe(false)
  serve('second')
  dismiss()
  serve('first')
  expect(isShown()).toBe(false)
  serve('third')
  expect(isShown()).toBe(true)
})

it('17.410 what Later hid comes back when code of the page is missing, but not each time', () => {
  const { serve, lackCode, isShown, dismiss } = renderNotice()
  serve('second')
  dismiss()
  expect(isShown()).toBe(false)
  lackCode()
  expect(isShown()).toBe(true)
  dismiss()
  lackCode()
  expect(isShown()).toBe(false)
})
