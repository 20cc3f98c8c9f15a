import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { ImportResult } from '@earshot/core/protocol/providers'
import type { LibraryAlbum } from '@earshot/core/protocol/library-calls'
import { makeTrack } from '@earshot/core/testing/tracks'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Route, Routes, useNavigate } from 'react-router'
import { expect, it } from 'vitest'
import { answerCalls } from '../../../../testing/contract-network.ts'
import { renderInRoom } from '../../../../testing/render-in-room.tsx'
import { FindMusic } from '../find-music.tsx'

const makeAlbum = (part: Partial<LibraryAlbum> = {}): LibraryAlbum => ({
  id: 'alb_sea',
  title: 'Sea',
  artist: 'Ann',
  artistId: 'art_ann',
  year: 1990,
  image: null,
  ...part,
})
const makeAlbumTrack = (at: number, disc: number | null = null) => ({
  track: { ...makeTrack(`lib_${at}`), source: 'library' as const, title: `Song ${at}`, artist: 'Ann' },
  disc,
  number: at,
})
const single: Track = { ...makeTrack('lib_single'), source: 'library', title: 'Single' }

/** Opens Find Music on a library with one album of three tracks; gives what was sent. */
async function openLibrary() {
  const imports: { importId: string; trackIds: string[] }[] = []
  const asked: string[] = []
  const added: string[] = []
  const album = makeAlbum()
  const tracks = [1, 2, 3].map((at) => makeAlbumTrack(at))
  answerCalls({
    'GET /api/sources': () => ({ sources: [{ source: 'library', available: true, reason: null }] }),
    'GET /api/library': () => ({ tracks: [single], total: 1, nextOffset: null, isScanning: false }),
    'GET /api/library/recent-albums': () => ({ albums: [album], isScanning: false }),
    'GET /api/library/albums': ({ query }) => {
      asked.push(query.toString())
      return { albums: [album], nextCursor: null }
    },
    'GET /api/library/albums/:albumId': () => ({ album, tracks, nextCursor: null }),
    'GET /api/library/letters': ({ query }) => ({
      letters: query.get('of') === 'albums' ? ['m', 'н', 'ل'] : ['a'],
    }),
    'GET /api/library/artists': () => ({
      artists: [{ id: 'art_ann', name: 'Ann', image: null }],
      nextCursor: null,
    }),
    'GET /api/library/artists/:artistId': () => ({
      artist: { id: 'art_ann', name: 'Ann', image: null },
      tracks: [single],
      nextCursor: null,
    }),
    'POST /api/rooms/:roomId/queue/import': ({ body }) => {
      const sent = body as { importId: string; trackIds: string[] }
      imports.push(sent)
      return { results: sent.trackIds.map((trackId) => ({ trackId, status: 'added' })) }
    },
  })
  await renderInRoom(
    <>
      <Routes>
        <Route path="/room/:roomId" element={<FindMusic onAdd={(track) => added.push(track.id)} />} />
        <Route path="/profile" element={<p>Your profile</p>} />
      </Routes>
      <BrowserButtons />
    </>,
  )
  return { imports, asked, added }
}

function BrowserButtons() {
  const navigate = useNavigate()
  return (
    <>
      <button type="button" onClick={() => void navigate(-1)}>
        Browser back
      </button>
      <button type="button" onClick={() => void navigate(1)}>
        Browser forward
      </button>
      <button type="button" onClick={() => void navigate('/profile')}>
        Profile
      </button>
    </>
  )
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))

it('17.74 shows what is new, albums and artists, with a way back from each', async () => {
  await openLibrary()
  expect(await screen.findByRole('list', { name: 'Recently added' })).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Add Single to the queue' })).toBeDefined()
  await press('Artists')
  await press('Open Ann')
  expect(await screen.findByRole('list', { name: 'Albums of Ann' })).toBeDefined()
  expect(await screen.findByRole('list', { name: 'Other tracks' })).toBeDefined()
  await press(/^Sea (Ann|1990)$/)
  expect(await screen.findByText(/^1990 · 3 tracks · \d+:\d\d$/)).toBeDefined()
  await press('Back')
  expect(await screen.findByRole('list', { name: 'Albums of Ann' })).toBeDefined()
  await press('Back')
  await press('Back')
  expect(await screen.findByRole('list', { name: 'Recently added' })).toBeDefined()
})

it('17.74 the focus follows to the page that is opened', async () => {
  await openLibrary()
  await press('Albums')
  const back = await screen.findByRole('button', { name: 'Back' })
  expect(document.activeElement?.contains(back)).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
})

it('17.74, 17.359 the list of albums starts at a chosen letter of those that the library has', async () => {
  const { asked } = await openLibrary()
  await press('Albums')
  await screen.findByRole('list', { name: 'Albums' })
  await screen.findByRole('option', { name: 'Н' })
  const options = () => screen.getAllByRole('option').map((option) => option.textContent)
  expect(options().slice(1)).toEqual(['M', 'Н', 'ل'])
  fireEvent.change(screen.getByLabelText('Start at'), { target: { value: 'н' } })
  await waitFor(() => expect(asked).toEqual(['', `from=${encodeURIComponent('н')}`]))
})

it('17.74 an album with several discs names them, and its tracks are added one by one', async () => {
  const { added } = await openLibrary()
  const tracks = [makeAlbumTrack(1, 1), makeAlbumTrack(2, 2)]
  answerCalls({
    'GET /api/library/albums/:albumId': () => ({ album: makeAlbum(), tracks, nextCursor: null }),
  })
  await press(/^Sea (Ann|1990)$/)
  expect(await screen.findByText('Disc 2')).toBeDefined()
  await press('Add Song 2 to the queue')
  expect(added).toEqual(['lib_2'])
})

it('17.75 adds an album in its order, once however often it is pressed', async () => {
  const { imports } = await openLibrary()
  await press(/^Sea (Ann|1990)$/)
  const add = await screen.findByRole('button', { name: 'Add album' })
  fireEvent.click(add)
  fireEvent.click(add)
  expect(await screen.findByText('3 tracks are in the queue')).toBeDefined()
  expect(imports.map((sent) => sent.trackIds)).toEqual([['lib_1', 'lib_2', 'lib_3']])
})

it('17.75 a full queue says how much it holds, and what was not added is tried again alone', async () => {
  const { imports } = await openLibrary()
  let isFull = true
  answerCalls({
    'POST /api/rooms/:roomId/queue/import': ({ body }) => {
      const sent = body as { importId: string; trackIds: string[] }
      imports.push(sent)
      const statusOf = (index: number): ImportResult['status'] =>
        isFull && index > 0 ? 'queue_full' : 'added'
      return { results: sent.trackIds.map((trackId, index) => ({ trackId, status: statusOf(index) })) }
    },
  })
  await press(/^Sea (Ann|1990)$/)
  await press('Add album')
  expect(await screen.findByText('The queue is full: it holds 1000 tracks.')).toBeDefined()
  expect(screen.getByText('2 tracks could not be added')).toBeDefined()
  isFull = false
  await press('Try 2 tracks again')
  expect(await screen.findByText('3 tracks are in the queue')).toBeDefined()
  expect(imports[1]?.trackIds).toEqual(['lib_2', 'lib_3'])
})

it('17.75 a long album is added as a whole, once all its parts are loaded', async () => {
  const { imports } = await openLibrary()
  const all = Array.from({ length: 70 }, (_none, at) => makeAlbumTrack(at + 1))
  let reads = 0
  answerCalls({
    'GET /api/library/albums/:albumId': ({ query }) => {
      reads += 1
      if (reads === 2) throw new AppError('not_a_member')
      const isRest = query.get('cursor') === 'rest'
      return {
        album: makeAlbum(),
        tracks: isRest ? all.slice(50) : all.slice(0, 50),
        nextCursor: isRest ? null : 'rest',
      }
    },
  })
  await press(/^Sea (Ann|1990)$/)
  expect(await screen.findByText('The rest could not be loaded.')).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add album' }).disabled).toBe(true)
  await press('Try again')
  await waitFor(() => expect(button('Add album').disabled).toBe(false))
  await press('Add album')
  expect(await screen.findByText('70 tracks are in the queue')).toBeDefined()
  expect(imports.map((sent) => sent.trackIds.length)).toEqual([50, 20])
})

it('17.74 a page that cannot be read says why, and can be loaded again', async () => {
  await openLibrary()
  answerCalls({
    'GET /api/library/albums/:albumId': () => {
      throw new AppError('not_found')
    },
  })
  await press(/^Sea (Ann|1990)$/)
  expect(await screen.findByText('This is not in the library any more')).toBeDefined()
  answerCalls({
    'GET /api/library/albums/:albumId': () => ({
      album: makeAlbum(),
      tracks: [makeAlbumTrack(1)],
      nextCursor: null,
    }),
  })
  await press('Try again')
  expect(await screen.findByText('Song 1')).toBeDefined()
})

it('17.72 the library is searched as one types: artists, albums and tracks', async () => {
  await openLibrary()
  const searches: string[] = []
  answerCalls({
    'GET /api/library/search': ({ query }) => {
      searches.push(query.get('q') ?? '')
      return { albums: [makeAlbum()], artists: [{ id: 'art_ann', name: 'Ann', image: null }] }
    },
    'GET /api/tracks': () => ({ tracks: [single], total: 1, nextOffset: null }),
  })
  const box = screen.getByRole('searchbox')
  fireEvent.change(box, { target: { value: 'se' } })
  fireEvent.change(box, { target: { value: 'sea' } })
  expect(await screen.findByRole('list', { name: 'Artists' })).toBeDefined()
  expect(within(screen.getByRole('list', { name: 'Albums' })).getByText('Sea')).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Add Single to the queue' })).toBeDefined()
  expect(searches).toEqual(['sea'])
  await press(/^Sea (Ann|1990)$/)
  expect(await screen.findByRole('button', { name: 'Add album' })).toBeDefined()
})

it("17.96 the browser's Back returns to the page of the library before, and Forward to the one after", async () => {
  await openLibrary()
  await press('Artists')
  await screen.findByRole('option', { name: 'A' })
  fireEvent.change(screen.getByLabelText('Start at'), { target: { value: 'a' } })
  await press('Open Ann')
  expect(await screen.findByRole('list', { name: 'Albums of Ann' })).toBeDefined()
  await press('Browser back')
  expect((await screen.findByLabelText<HTMLSelectElement>('Start at')).value).toBe('a')
  await press('Browser back')
  expect(await screen.findByRole('list', { name: 'Recently added' })).toBeDefined()
  await press('Browser forward')
  await press('Browser forward')
  expect(await screen.findByRole('list', { name: 'Albums of Ann' })).toBeDefined()
  // The page's own Back does not leave an entry behind.
  await press('Back')
  await press('Back')
  await press('Albums')
  await press('Browser back')
  expect(await screen.findByRole('list', { name: 'Recently added' })).toBeDefined()
})

it("17.96 the browser's Back returns to the search that found an album", async () => {
  await openLibrary()
  answerCalls({
    'GET /api/library/search': () => ({ albums: [makeAlbum()], artists: [] }),
    'GET /api/tracks': () => ({ tracks: [single], total: 1, nextOffset: null }),
  })
  const box = screen.getByRole<HTMLInputElement>('searchbox')
  fireEvent.change(box, { target: { value: 'sea' } })
  await screen.findByRole('list', { name: 'Albums' })
  await press(/^Sea (Ann|1990)$/)
  await screen.findByRole('button', { name: 'Add album' })
  expect(box.value).toBe('')
  await press('Browser back')
  await screen.findByRole('list', { name: 'Albums' })
  expect(box.value).toBe('sea')
})

it("17.2a the browser's Back from another page keeps the search that was typed on a page of the library", async () => {
  await openLibrary()
  answerCalls({
    'GET /api/library/search': () => ({ albums: [], artists: [{ id: 'art_ann', name: 'Ann', image: null }] }),
    'GET /api/tracks': () => ({ tracks: [], total: 0, nextOffset: null }),
  })
  await press(/^Sea (Ann|1990)$/)
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'ann' } })
  await screen.findByRole('list', { name: 'Artists' })
  await press('Profile')
  expect(screen.queryByRole('searchbox')).toBeNull()
  await press('Browser back')
  expect((await screen.findByRole<HTMLInputElement>('searchbox')).value).toBe('ann')
  expect(await screen.findByRole('list', { name: 'Artists' })).toBeDefined()
  // A further Back leaves the search for the page from which the album was opened.
  await press('Browser back')
  expect(await screen.findByRole('list', { name: 'Recently added' })).toBeDefined()
})
