import type { SourceStatus, Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { spotifyMessages, youtubeMessages } from '@earshot/core/protocol/provider-messages'
import type { SpotifyConnection, YoutubeConnection } from '@earshot/core/protocol/providers'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls, type Asked } from '../../../testing/contract-network.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makePlaylist, makeSpotifyTrack, makeYoutubeTrack } from '../../../testing/samples.ts'
import { deliverNotices, type PostedNotice } from '../../../ui/notices/notify.ts'
import { FindMusic } from './find-music.tsx'

const allSources = (youtube: Partial<SourceStatus> = {}): SourceStatus[] => [
  { source: 'library', available: true, reason: null },
  { source: 'spotify', available: true, reason: null },
  { source: 'youtube', available: true, reason: null, ...youtube },
]
const spotify: SpotifyConnection = {
  isConnected: true,
  displayName: 'Ann',
  authorizedAt: 0,
  expiresSoon: false,
  mustReconnect: false,
}
const youtube: YoutubeConnection = {
  isConnected: true,
  hasOwnKey: false,
  hasServerKey: true,
  quota: { used: 63, limit: 100, resetsAt: 0 },
}

interface Answers {
  sources?: SourceStatus[]
  spotify?: Partial<SpotifyConnection>
  search?: (asked: Asked) => { tracks: Track[]; total: number; nextOffset: number | null }
}

/** Its button leaves for another page, and comes back. */
function Visited({ children }: { children: ReactNode }) {
  const [isHere, setHere] = useState(true)
  return (
    <>
      {isHere && children}
      <button type="button" onClick={() => setHere(!isHere)}>
        Other page
      </button>
    </>
  )
}

/** Opens the card; gives what was searched for and added. */
async function openFindMusic(answers: Answers = {}) {
  const searches: string[] = []
  const added: Track[] = []
  answerCalls({
    'GET /api/sources': () => ({ sources: answers.sources ?? allSources() }),
    'GET /api/library': () => ({ tracks: [], total: 0, nextOffset: null, isScanning: false }),
    'GET /api/spotify': () => ({ connection: { ...spotify, ...answers.spotify } }),
    'GET /api/youtube': () => ({ connection: youtube }),
    'GET /api/spotify/playlists': () => ({
      playlists: [makePlaylist({ id: 'sp1', source: 'spotify' })],
      nextOffset: null,
    }),
    'GET /api/tracks': (asked) => {
      searches.push(`${asked.query.get('source')}: ${asked.query.get('q')}`)
      return answers.search?.(asked) ?? { tracks: [], total: 0, nextOffset: null }
    },
  })
  await renderInRoom(
    <Visited>
      <FindMusic onAdd={(track) => added.push(track)} />
    </Visited>,
  )
  return { searches, added, box: await screen.findByPlaceholderText<HTMLInputElement>(/./) }
}

async function choose(source: string) {
  fireEvent.click(await screen.findByRole('radio', { name: source }))
}

function submit(box: HTMLElement, text: string) {
  fireEvent.change(box, { target: { value: text } })
  fireEvent.submit(box)
}

it('15.31 searches YouTube on submit only, with duration, source and the searches left', async () => {
  const track = makeYoutubeTrack('v1', { duration: 65_000 })
  const { box, searches, added } = await openFindMusic({
    search: () => ({ tracks: [track], total: 1, nextOffset: null }),
  })
  await choose('YouTube')
  expect(await screen.findByText('37 of 100 searches left today')).toBeDefined()
  fireEvent.change(box, { target: { value: 'ferry' } })
  fireEvent.change(box, { target: { value: 'ferry boat' } })
  expect(searches).toEqual([])
  fireEvent.submit(box)
  expect(await screen.findByText(/· 1:05$/)).toBeDefined()
  expect(searches).toEqual(['youtube: ferry boat'])
  const link = screen.getByRole('link', { name: 'Video v1 on YouTube' })
  expect(link.getAttribute('href')).toBe('https://www.youtube.com/watch?v=v1')
  expect(link.getAttribute('rel')).toContain('noopener')
  fireEvent.click(screen.getByRole('button', { name: 'Add Video v1 to the queue' }))
  expect(added).toEqual([track])
})

it('9.1b shows all 20 results of a search', async () => {
  const tracks = Array.from({ length: 20 }, (_none, index) => makeSpotifyTrack(`s${index}`))
  const { box } = await openFindMusic({ search: () => ({ tracks, total: 20, nextOffset: null }) })
  await choose('Spotify')
  submit(box, 'ferry')
  const list = await screen.findByRole('list', { name: 'Results - Click + to add to queue' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(20)
})

it('15.31 a user without a connection to Spotify gets the way to one, and no search is made', async () => {
  const { box, searches } = await openFindMusic({ spotify: { isConnected: false } })
  await choose('Spotify')
  expect(await screen.findByText('Connect Spotify on your profile to search it')).toBeDefined()
  const link = screen.getByRole('link', { name: 'Go to my profile' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/profile', '_blank'])
  submit(box, 'ferry')
  expect(searches).toEqual([])
})

it('15.31 an ended connection says so', async () => {
  await openFindMusic({ spotify: { isConnected: false, mustReconnect: true } })
  await choose('Spotify')
  expect(await screen.findByText('Your connection to Spotify has ended')).toBeDefined()
})

it('2.26b, 15.31 without a search, the field asks for links', async () => {
  const { box, searches } = await openFindMusic({ sources: allSources({ canSearch: false }) })
  await choose('YouTube')
  await waitFor(() => expect(box.placeholder).toBe('Paste a YouTube link'))
  await choose('Spotify')
  expect(box.placeholder).toBe('Search for music...')
  expect(screen.getByText('Searching Spotify - Press Enter to search')).toBeDefined()
  await choose('YouTube')
  submit(box, 'ferry')
  expect(searches).toEqual([])
})

it('17.356 a guest reads that the search needs an account, and of YouTube that links work', async () => {
  const forGuests = { canSearch: false, searchNeedsAccount: true }
  const sources = allSources(forGuests).map((each) =>
    each.source === 'spotify' ? { ...each, ...forGuests } : each,
  )
  const { box, searches } = await openFindMusic({ sources })
  await choose('YouTube')
  expect(await screen.findByText('Sign in to search YouTube')).toBeDefined()
  expect(screen.getByText('Links to videos and playlists work without an account.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/login')
  submit(box, 'ferry')
  expect(searches).toEqual([])
  await choose('Spotify')
  expect(await screen.findByText('Sign in to search Spotify')).toBeDefined()
  expect(screen.queryByText(/links/i)).toBeNull()
})

it('15.31 while the limit is reached, the search is off and says until when', async () => {
  vi.useFakeTimers({ now: new Date().setHours(12, 0, 0, 0), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { box, searches } = await openFindMusic({
    sources: allSources({ searchPausedUntil: new Date().setHours(23, 59, 0, 0) }),
  })
  await choose('YouTube')
  submit(box, 'ferry')
  expect(await screen.findByText(/Search works again from .*23:59; links still work/)).toBeDefined()
  expect(searches).toEqual([])
})

it('8.4a, 15.31 a search refused by the limit says so, and is repeated only when asked', async () => {
  const notices: PostedNotice[] = []
  onTestFinished(deliverNotices({ show: (notice) => notices.push(notice), close: () => undefined }))
  const { box, searches } = await openFindMusic({
    search: () => {
      throw new AppError('provider_limit', undefined, { retryAfterMs: 1_000 })
    },
  })
  await choose('YouTube')
  submit(box, 'ferry')
  expect(await screen.findByText('No more YouTube searches for now')).toBeDefined()
  expect(notices.map(({ title, text }) => [title, text])).toEqual([
    ['Search Failed', "The provider's limit is reached. Try again later."],
  ])
  fireEvent.focus(window)
  expect(searches).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(searches).toHaveLength(2))
})

it('8.4a a failed search is told once, and not again after a visit to another page', async () => {
  const notices: PostedNotice[] = []
  onTestFinished(deliverNotices({ show: (notice) => notices.push(notice), close: () => undefined }))
  const { box, searches } = await openFindMusic({
    search: () => {
      throw new AppError('provider_failed')
    },
  })
  await choose('YouTube')
  submit(box, 'ferry')
  const retry = () => screen.findByRole('button', { name: 'Try again' })
  await retry()
  expect(notices.map(({ title }) => title)).toEqual(['Search Failed'])
  fireEvent.click(screen.getByRole('button', { name: 'Other page' }))
  expect(screen.queryByRole('searchbox')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Other page' }))
  const again = await retry()
  expect([notices.length, searches.length]).toEqual([1, 1])
  fireEvent.click(again)
  await waitFor(() => expect([notices.length, searches.length]).toEqual([2, 2]))
})

it('15.31 a track that nobody can play in a room says why and cannot be added', async () => {
  const track = makeYoutubeTrack('v1', { restriction: 'not_embeddable' })
  const { box, added } = await openFindMusic({
    search: () => ({ tracks: [track], total: 1, nextOffset: null }),
  })
  await choose('YouTube')
  submit(box, 'ferry')
  expect(await screen.findByText(/^Not playable here: its owner does not allow it/)).toBeDefined()
  const add = screen.getByRole('button', { name: 'Add Video v1 to the queue' })
  fireEvent.click(add)
  expect(added).toEqual([])
})

it('15.30 a pasted link to a track is opened instead of searched for, in any source', async () => {
  const { box, searches, added } = await openFindMusic()
  const asked: unknown[] = []
  const track = makeYoutubeTrack('v1', { duration: 180_000 })
  answerCalls({
    'POST /api/links': ({ body }) => {
      asked.push(body)
      return { target: { kind: 'track', track } }
    },
  })
  submit(box, ' youtu.be/v1 ')
  fireEvent.click(await screen.findByRole('button', { name: 'Add Video v1 to the queue' }))
  expect(added).toEqual([track])
  expect(asked).toEqual([{ url: 'https://youtu.be/v1' }])
  expect(searches).toEqual([])
  expect(screen.queryByText(/3:00/)).toBeNull()
})

it('15.30 a link that leads nowhere says why', async () => {
  const { box } = await openFindMusic()
  answerCalls({
    'POST /api/links': () => {
      throw new AppError('link_not_supported')
    },
  })
  submit(box, 'https://example.org/song')
  expect(await screen.findByText('This link could not be opened')).toBeDefined()
  expect(screen.getByText(/^Only links to YouTube and Spotify tracks and playlists/)).toBeDefined()
})

it('15.33 lists the own Spotify playlists, and a search replaces them', async () => {
  const { box } = await openFindMusic()
  await choose('Spotify')
  expect(await screen.findByRole('button', { name: 'Choose tracks from Rainy Sunday' })).toBeDefined()
  expect(screen.getByText('2 tracks · by ann')).toBeDefined()
  submit(box, 'ferry')
  expect(await screen.findByText('No results found')).toBeDefined()
})

it('15.33 a failed list of playlists can be loaded again', async () => {
  await openFindMusic()
  let reads = 0
  answerCalls({
    'GET /api/spotify/playlists': () => {
      reads += 1
      if (reads === 1) throw new AppError('provider_failed')
      return { playlists: [], nextOffset: null }
    },
  })
  await choose('Spotify')
  expect(await screen.findByText('Your playlists could not be loaded')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('You have no playlists on Spotify')).toBeDefined()
})

it('15.104 a link that cannot be opened says what the server found', async () => {
  const { box } = await openFindMusic()
  for (const error of [
    new AppError('link_not_supported', youtubeMessages.mix),
    new AppError('not_connected', youtubeMessages.playlistNeedsKey),
    new AppError('track_not_found', spotifyMessages.notInCountry),
    new AppError('provider_failed', spotifyMessages.playlistNotShown),
  ]) {
    answerCalls({
      'POST /api/links': () => {
        throw error
      },
    })
    submit(box, `youtu.be/${error.code}`)
    expect(await screen.findByText(error.message)).toBeDefined()
  }
})
