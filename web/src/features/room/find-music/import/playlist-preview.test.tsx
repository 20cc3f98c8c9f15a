import { AppError } from '@earshot/core/protocol/errors'
import { spotifyMessages } from '@earshot/core/protocol/provider-messages'
import type { ImportResult, PlaylistPage } from '@earshot/core/protocol/providers'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { answerCalls } from '../../../../testing/contract-network.ts'
import { renderInRoom } from '../../../../testing/render-in-room.tsx'
import { makePlaylist, makeYoutubeTrack } from '../../../../testing/samples.ts'
import { PlaylistPreview } from './playlist-preview.tsx'

const makeTracks = (count: number, from = 0) =>
  Array.from({ length: count }, (_none, index) => makeYoutubeTrack(`v${from + index}`))

const makePage = (part: Partial<PlaylistPage> = {}): PlaylistPage => ({
  playlist: makePlaylist(),
  tracks: makeTracks(3),
  skipped: [],
  nextCursor: null,
  ...part,
})

function Reopenable({ firstPage }: { firstPage: PlaylistPage }) {
  const [isOpen, setOpen] = useState(true)
  if (!isOpen) return <button onClick={() => setOpen(true)}>Reopen</button>
  return (
    <PlaylistPreview playlist={firstPage.playlist} firstPage={firstPage} onClose={() => setOpen(false)} />
  )
}

/** Answers imports; gives the parts that were sent. */
function answerImports(outcomeOf: (trackId: string, sentParts: number) => ImportResult['status']) {
  const sent: { importId: string; trackIds: string[] }[] = []
  answerCalls({
    'POST /api/rooms/:roomId/queue/import': ({ body }) => {
      const part = body as (typeof sent)[number]
      sent.push(part)
      return {
        results: part.trackIds.map((trackId) => ({ trackId, status: outcomeOf(trackId, sent.length) })),
      }
    },
  })
  return sent
}

const row = (title: string) => screen.getByText(title).closest('li')!
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const click = (name: string) => fireEvent.click(button(name))

it('15.32 shows name, owner, count and tracks, and what cannot be added with the reason', async () => {
  const live = makeYoutubeTrack('v9', { restriction: 'live' })
  const skipped = [{ title: 'Deleted video', reason: 'No longer available' }]
  await renderInRoom(<Reopenable firstPage={makePage({ tracks: [...makeTracks(2), live], skipped })} />)
  const dialog = await screen.findByRole('dialog', { name: 'Rainy Sunday' })
  expect(within(dialog).getByText('2 tracks · by ann')).toBeDefined()
  expect(screen.getByText('1 entry cannot be added')).toBeDefined()
  expect(screen.getByText('No longer available')).toBeDefined()
  expect(within(row('Video v9')).getByRole<HTMLInputElement>('checkbox').disabled).toBe(true)
  expect(within(row('Video v9')).getByText('Not playable here: a live stream')).toBeDefined()
  expect(button('Add 2 tracks')).toBeDefined()
})

it('15.32 selects all, none and single tracks', async () => {
  const sent = answerImports(() => 'added')
  await renderInRoom(<Reopenable firstPage={makePage()} />)
  click('Select none')
  expect(screen.getByText('0 selected')).toBeDefined()
  expect(button('Add 0 tracks').disabled).toBe(true)
  fireEvent.click(within(row('Video v1')).getByRole('checkbox'))
  expect(screen.getByText('1 selected')).toBeDefined()
  click('Select all')
  fireEvent.click(within(row('Video v0')).getByRole('checkbox'))
  click('Add 2 tracks')
  expect(await screen.findByText('2 tracks are in the queue')).toBeDefined()
  expect(sent.map((part) => part.trackIds)).toEqual([['youtube:v1', 'youtube:v2']])
  expect(within(row('Video v1')).getByText('Added')).toBeDefined()
})

it('15.32 loads the parts of a long playlist, and selects what loads later as before', async () => {
  const firstPage = makePage({ tracks: makeTracks(50), nextCursor: 'second' })
  let reads = 0
  answerCalls({
    'GET /api/playlists/:source/:playlistId': ({ query }) => {
      reads += 1
      if (reads === 1) throw new AppError('provider_failed')
      expect(query.get('cursor')).toBe('second')
      return { page: makePage({ tracks: makeTracks(90, 40) }) }
    },
  })
  await renderInRoom(<Reopenable firstPage={firstPage} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Load the rest' }))
  expect(await screen.findByRole('button', { name: 'Add 130 tracks' })).toBeDefined()
  const list = screen.getByRole('list', { name: 'Tracks of the playlist' })
  expect(within(list).getAllByRole('checkbox')).toHaveLength(100)
  click('Show 30 more tracks')
  expect(within(list).getAllByRole('checkbox')).toHaveLength(130)
})

it('15.32 a playlist that cannot be read says why and can be loaded again', async () => {
  let reads = 0
  answerCalls({
    'GET /api/playlists/:source/:playlistId': () => {
      reads += 1
      if (reads === 1) throw new AppError('provider_limit')
      return { page: makePage() }
    },
  })
  await renderInRoom(<PlaylistPreview playlist={makePlaylist()} onClose={() => undefined} />)
  expect(await screen.findByText("The provider's limit is reached. Try again later.")).toBeDefined()
  click('Try again')
  expect(await screen.findByText('Video v2')).toBeDefined()
})

it('15.104 a playlist that is not shown to this user says so', async () => {
  answerCalls({
    'GET /api/playlists/:source/:playlistId': () => {
      throw new AppError('provider_failed', spotifyMessages.playlistNotShown)
    },
  })
  await renderInRoom(<PlaylistPreview playlist={makePlaylist()} onClose={() => undefined} />)
  expect(await screen.findByText(spotifyMessages.playlistNotShown)).toBeDefined()
})

it('15.35 lists failures track by track, and tries again only what may succeed', async () => {
  const statuses = ['added', 'not_found', 'queue_full'] as const
  const sent = answerImports((trackId, parts) =>
    parts > 1 ? 'added' : (statuses[Number(trackId.at(-1))] ?? 'added'),
  )
  await renderInRoom(<Reopenable firstPage={makePage()} />)
  click('Add 3 tracks')
  expect(await screen.findByText('2 tracks could not be added')).toBeDefined()
  expect(within(row('Video v1')).getByText('Not found')).toBeDefined()
  expect(within(row('Video v2')).getByText('The queue is full')).toBeDefined()
  click('Try 1 track again')
  expect(await screen.findByText('2 tracks are in the queue')).toBeDefined()
  expect(sent[1]?.trackIds).toEqual(['youtube:v2'])
  expect(sent[1]?.importId).not.toBe(sent[0]?.importId)
})

it('17.479 says that a member may have no more waiting, and tries the others again', async () => {
  const sent = answerImports((trackId, parts) =>
    parts > 1 || trackId.endsWith('0') ? 'added' : 'too_many_waiting',
  )
  await renderInRoom(<Reopenable firstPage={makePage()} />)
  click('Add 3 tracks')
  expect(await screen.findByText('2 tracks could not be added')).toBeDefined()
  expect(screen.getByText(/^You have as many tracks waiting/)).toBeDefined()
  expect(screen.queryByText(/^The queue is full/)).toBeNull()
  expect(within(row('Video v2')).getByText('You have too many waiting')).toBeDefined()
  click('Try 2 tracks again')
  expect(await screen.findByText('3 tracks are in the queue')).toBeDefined()
  expect(sent[1]?.trackIds).toEqual(['youtube:v1', 'youtube:v2'])
})

it('15.35 a refused import says why, and goes on under the same ids', async () => {
  const firstPage = makePage({ tracks: makeTracks(60) })
  const sent: string[] = []
  let isRefusing = true
  answerCalls({
    'POST /api/rooms/:roomId/queue/import': ({ body }) => {
      const { importId, trackIds } = body as { importId: string; trackIds: string[] }
      sent.push(importId)
      if (sent.length === 2 && isRefusing) throw new AppError('not_a_member')
      return { results: trackIds.map((trackId) => ({ trackId, status: 'added' })) }
    },
  })
  await renderInRoom(<Reopenable firstPage={firstPage} />)
  click('Add 60 tracks')
  expect(await screen.findByText('10 tracks were not added yet')).toBeDefined()
  expect(screen.getByText('Join the room first.')).toBeDefined()
  isRefusing = false
  click('Try 10 tracks again')
  expect(await screen.findByText('60 tracks are in the queue')).toBeDefined()
  expect(sent[2]).toBe(sent[1])
  expect(new Set(sent).size).toBe(2)
})

it('15.34 shows the progress; cancelling, closing and reopening keep what was done', async () => {
  const answers: (() => void)[] = []
  answerCalls({
    'POST /api/rooms/:roomId/queue/import': async ({ body }) => {
      const { trackIds } = body as { trackIds: string[] }
      await new Promise<void>((resolve) => answers.push(resolve))
      return { results: trackIds.map((trackId) => ({ trackId, status: 'added' })) }
    },
  })
  await renderInRoom(<Reopenable firstPage={makePage({ tracks: makeTracks(60) })} />)
  click('Add 60 tracks')
  expect(await screen.findByText('Adding 0 of 60...')).toBeDefined()
  click('Cancel')
  expect(button('Stopping...').disabled).toBe(true)
  click('Close')
  await waitFor(() => expect(answers).toHaveLength(1))
  answers[0]?.()
  fireEvent.click(await screen.findByRole('button', { name: 'Reopen' }))
  expect(await screen.findByText('50 tracks are in the queue')).toBeDefined()
  click('Add the other 10')
  await waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.()
  expect(await screen.findByText('60 tracks are in the queue')).toBeDefined()
})
