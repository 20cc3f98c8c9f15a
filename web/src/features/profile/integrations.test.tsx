import { AppError } from '@earshot/core/protocol/errors'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls, type Asked } from '../../testing/contract-network.ts'
import { makeSources, makeSpotify, makeYoutube } from '../../testing/samples.ts'
import { answerProfileCalls, openProfile, region } from './testing/open-profile.ts'

beforeEach(() => answerProfileCalls({ totalRoomsCreated: 0, totalPlaytime: 0, favoriteService: null }))

describe('Spotify', () => {
  const day = 86_400_000

  it('2.33a, 1.3 not connected, Connect leaves for the consent page', async () => {
    answerCalls({ 'POST /api/spotify/authorize': () => ({ url: '#consent-page' }) })
    onTestFinished(() => void (window.location.hash = ''))
    await openProfile()
    const card = await region('Spotify')
    await card.findByText('Not Connected')
    fireEvent.click(card.getByRole('button', { name: 'Connect' }))
    await waitFor(() => expect(window.location.hash).toBe('#consent-page'))
  })

  it('8.12a a consent page that cannot be had is an error with the message', async () => {
    answerCalls({
      'POST /api/spotify/authorize': () => {
        throw new AppError('provider_failed', 'Spotify did not answer')
      },
    })
    await openProfile()
    const card = await region('Spotify')
    fireEvent.click(await card.findByRole('button', { name: 'Connect' }))
    await screen.findByText('Spotify did not answer')
    expect(screen.getByText('Error')).toBeDefined()
    expect(card.getByRole('button', { name: 'Connect' })).toHaveProperty('disabled', false)
  })

  it('2.33a connected, it names the account and offers to reconnect and to disconnect', async () => {
    const connection = makeSpotify({ isConnected: true, displayName: 'Ann Lee', authorizedAt: Date.now() })
    answerCalls({
      'GET /api/spotify': () => ({ connection }),
      'DELETE /api/spotify': () => ({ connection: makeSpotify() }),
    })
    await openProfile()
    const card = await region('Spotify')
    await card.findByText('Connected')
    expect(card.getByText(/^Connected as Ann Lee/)).toBeDefined()
    expect(card.getByRole('button', { name: 'Reconnect' })).toBeDefined()
    fireEvent.click(card.getByRole('button', { name: 'Disconnect' }))
    await screen.findByText('Spotify disconnected')
    expect(card.getByText('Not Connected')).toBeDefined()
  })

  it('15.8 warns when the consent ends soon, and says when it has ended', async () => {
    const authorizedAt = Date.UTC(2026, 0, 10, 12)
    const soon = makeSpotify({ isConnected: true, authorizedAt, expiresSoon: true })
    answerCalls({ 'GET /api/spotify': () => ({ connection: soon }) })
    const { unmount } = await openProfile()
    await screen.findByText(/ends this connection on July 10, 2026/)
    unmount()

    const ended = makeSpotify({ mustReconnect: true, authorizedAt: authorizedAt - 200 * day })
    answerCalls({ 'GET /api/spotify': () => ({ connection: ended }) })
    await openProfile()
    const card = await region('Spotify')
    await card.findByText(/^Your connection to Spotify has ended/)
    expect(card.getByText('Not Connected')).toBeDefined()
    expect(card.getByRole('button', { name: 'Reconnect' })).toBeDefined()
  })

  it('15.9, 17.398 a server without Spotify says so, and offers nothing to press', async () => {
    answerCalls({ 'GET /api/sources': () => ({ sources: makeSources() }) })
    await openProfile()
    const card = await region('Spotify')
    await card.findByText('Spotify is not set up on this server.')
    expect(card.getByText('Not Connected')).toBeDefined()
    expect(card.queryByText(/SPOTIFY_CLIENT_ID|Connect your account/)).toBeNull()
    expect(card.queryByRole('button')).toBeNull()
  })

  it('17.398 who had connected Spotify disconnects it on a server that no longer has it', async () => {
    answerCalls({
      'GET /api/sources': () => ({ sources: makeSources() }),
      'GET /api/spotify': () => ({ connection: makeSpotify({ isConnected: true }) }),
    })
    await openProfile()
    const card = await region('Spotify')
    expect(await card.findByRole('button', { name: 'Disconnect' })).toBeDefined()
  })

  it('2.33a connects also where the list of sources cannot be loaded', async () => {
    answerCalls({
      'GET /api/sources': () => {
        throw new AppError('internal')
      },
    })
    await openProfile()
    expect(await (await region('Spotify')).findByRole('button', { name: 'Connect' })).toBeDefined()
  })

  it('a state that cannot be loaded is tried again', async () => {
    answerCalls({
      'GET /api/spotify': () => {
        throw new AppError('internal')
      },
    })
    await openProfile()
    const card = await region('Spotify')
    await card.findByText('The state of Spotify could not be loaded')
    answerCalls({ 'GET /api/spotify': () => ({ connection: makeSpotify() }) })
    fireEvent.click(card.getByRole('button', { name: 'Try again' }))
    expect(await card.findByText('Not Connected')).toBeDefined()
  })
})

describe('YouTube', () => {
  const results = [
    {
      id: 'dQw4w9WgXcQ',
      title: 'Night Ferry',
      thumbnail: 'https://i.ytimg.com/a.jpg',
      channelTitle: 'Lanterns',
    },
    { id: 'aaaaaaaaaaa', title: 'Harbour', thumbnail: null, channelTitle: 'Quay' },
  ]

  it('2.33b, 8.12b, 3.10, 3.12b connects with the key of the server and shows sample results', async () => {
    let asked: Asked | null = null
    let isConnected = false
    answerCalls({
      'GET /api/youtube': () => ({ connection: makeYoutube({ isConnected }) }),
      'POST /api/youtube/connect': (call) => {
        asked = call
        isConnected = true
        return { result: { success: true, results } }
      },
    })
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    onTestFinished(() => opened.mockRestore())
    await openProfile()
    const card = await region('YouTube')
    await card.findByText('Not Connected')
    fireEvent.click(card.getByRole('button', { name: 'Connect' }))
    expect(card.getByRole('button', { name: 'Connecting' }).querySelector('.animate-spin')).not.toBeNull()
    await card.findByText('Verified with sample results:')
    expect(asked).toMatchObject({ body: { apiKey: null } })
    await screen.findByText('YouTube Music Connected')
    expect(screen.getByText('Successfully connected to YouTube Data API')).toBeDefined()
    expect(card.getByText('Night Ferry')).toBeDefined()
    expect(card.getByText('Lanterns')).toBeDefined()
    await card.findByText('Connected')
    await card.findByRole('button', { name: 'Test Connection' })
    fireEvent.click(card.getByRole('button', { name: 'Open Night Ferry on YouTube in a new tab' }))
    expect(opened).toHaveBeenCalledWith('https://www.youtube.com/watch?v=dQw4w9WgXcQ', '_blank', 'noopener')
  })

  it("2.33b, 8.8, 8.12b a refused key says why and stays in the field; the next one is the user's own", async () => {
    const keys: unknown[] = []
    answerCalls({
      'POST /api/youtube/connect': ({ body }) => {
        keys.push((body as { apiKey: unknown }).apiKey)
        if (keys.length > 1) return { result: { success: true, results } }
        const details = 'API key not valid.'
        return { result: { success: false, error: 'Invalid API key', status: 400, details } }
      },
    })
    await openProfile()
    const card = await region('YouTube')
    const field = await card.findByLabelText('Your own API key (optional)')
    fireEvent.change(field, { target: { value: ' my-key ' } })
    fireEvent.click(card.getByRole('button', { name: 'Connect' }))
    const alert = await card.findByRole('alert')
    expect(alert.textContent).toContain('Connection Error: Invalid API key')
    expect(alert.textContent).toContain('API key not valid.')
    await screen.findByText('Connection Failed')
    expect(field).toHaveProperty('value', ' my-key ')
    expect(field).toHaveProperty('type', 'password')
    fireEvent.click(card.getByRole('button', { name: 'Connect' }))
    await card.findByText('Verified with sample results:')
    expect(card.queryByRole('alert')).toBeNull()
    expect(keys).toEqual(['my-key', 'my-key'])
    expect(field).toHaveProperty('value', '')
  })

  it('8.12b without a reason it says that the error is unknown', async () => {
    answerCalls({
      'POST /api/youtube/connect': () => {
        throw new AppError('internal')
      },
    })
    await openProfile()
    const card = await region('YouTube')
    fireEvent.click(await card.findByRole('button', { name: 'Connect' }))
    expect((await card.findByRole('alert')).textContent).toContain('An unknown error occurred')
  })

  it('15.13 a test without an answer ends after 30 s, and keeps the key', async () => {
    answerCalls({ 'POST /api/youtube/connect': () => new Promise(() => undefined) })
    await openProfile()
    const card = await region('YouTube')
    const field = await card.findByLabelText('Your own API key (optional)')
    fireEvent.change(field, { target: { value: 'my-key' } })
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    fireEvent.click(card.getByRole('button', { name: 'Connect' }))
    await act(() => vi.advanceTimersByTimeAsync(29_000))
    expect(card.getByRole('button', { name: 'Connecting' })).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(1_500))
    expect(card.getByRole('alert').textContent).toContain('The server is not available right now.')
    expect(field).toHaveProperty('value', 'my-key')
  })

  it('15.9 a server without a key asks for one', async () => {
    answerCalls({ 'GET /api/youtube': () => ({ connection: makeYoutube({ hasServerKey: false }) }) })
    await openProfile()
    const card = await region('YouTube')
    await card.findByText(/This server has no key of its own/)
    fireEvent.click(card.getByRole('button', { name: 'Connect' }))
    expect(card.getByText('Enter an API key: this server has none of its own.')).toBeDefined()
  })

  it('15.9 a meter shows the searches of the day, and disconnecting forgets the key', async () => {
    const quota = { used: 100, limit: 100, resetsAt: Date.now() + 3_600_000 }
    answerCalls({
      'GET /api/youtube': () => ({ connection: makeYoutube({ isConnected: true, hasOwnKey: true, quota }) }),
      'DELETE /api/youtube': () => {
        answerCalls({ 'GET /api/youtube': () => ({ connection: makeYoutube() }) })
        return { connection: makeYoutube() }
      },
    })
    await openProfile()
    const card = await region('YouTube')
    const meter = await card.findByRole('meter', { name: 'Searches today' })
    expect(meter.getAttribute('aria-valuetext')).toBe('100 of 100')
    expect(card.getByText(/Searches use your own API key/)).toBeDefined()
    fireEvent.click(card.getByRole('button', { name: 'Disconnect' }))
    await screen.findByText('YouTube disconnected')
    await card.findByText('Not Connected')
  })
})
