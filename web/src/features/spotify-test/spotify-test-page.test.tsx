import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeConfig } from '../../testing/samples.ts'

beforeEach(() => answerCalls({ 'GET /api/config': () => makeConfig({ spotifyClientId: 'of-the-server' }) }))

const fill = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } })
const generate = () => fireEvent.click(screen.getByRole('button', { name: 'Generate Auth URL' }))

it('2.36, 2.8 starts with the settings of the server and builds the link', async () => {
  await renderApp({ path: '/spotify-test' })
  await screen.findByDisplayValue('of-the-server')
  fill('Client ID', 'abc')
  fill('Redirect URI', 'http://127.0.0.1:3000/callback')
  generate()
  const shown = await screen.findByText(/^https:\/\/accounts\.spotify\.com\/authorize\?/)
  const { searchParams } = new URL(shown.textContent ?? '')
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: 'abc',
    redirect_uri: 'http://127.0.0.1:3000/callback',
    show_dialog: 'true',
    scope:
      'user-read-private user-read-email user-read-playback-state user-modify-playback-state ' +
      'user-read-currently-playing streaming playlist-read-private playlist-read-collaborative',
  })
})

it('2.36 copies and opens the link', async () => {
  const copied: string[] = []
  const clipboard = { writeText: async (text: string) => void copied.push(text) }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  onTestFinished(() => opened.mockRestore())
  await renderApp({ path: '/spotify-test' })
  await screen.findByDisplayValue('of-the-server')
  generate()
  const url = (await screen.findByText(/^https:\/\/accounts/)).textContent
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  await screen.findByText('Auth URL copied')
  expect(copied).toEqual([url])
  fireEvent.click(screen.getByRole('button', { name: 'Open Auth URL' }))
  expect(opened).toHaveBeenCalledWith(url, '_blank', 'noopener')
})

it('5.10, 8.15 both inputs are required, and the redirect address must be one', async () => {
  await renderApp({ path: '/spotify-test' })
  await screen.findByDisplayValue('of-the-server')
  fill('Client ID', ' ')
  fill('Redirect URI', '')
  generate()
  expect(screen.getByText('Client ID is required')).toBeDefined()
  expect(screen.getByText('Redirect URI is required')).toBeDefined()
  fill('Client ID', 'abc')
  fill('Redirect URI', 'javascript:alert(1)')
  generate()
  await screen.findByText('Failed to generate auth URL')
  expect(screen.queryByRole('button', { name: 'Open Auth URL' })).toBeNull()
})
