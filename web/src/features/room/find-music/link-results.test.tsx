import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerCalls } from '../../../testing/contract-network.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeYoutubeTrack } from '../../../testing/samples.ts'
import { LinkResults } from './link-results.tsx'

const links = (count: number) => Array.from({ length: count }, (_, index) => `https://youtu.be/v${index + 1}`)

async function renderLinks(count: number) {
  answerCalls({
    'POST /api/links': ({ body }) => {
      const id = (body as { url: string }).url.split('/').at(-1) ?? ''
      return { target: { kind: 'track', track: makeYoutubeTrack(id) } }
    },
  })
  await renderInRoom(<LinkResults urls={links(count)} onAdd={() => undefined} />)
}

it('15.30 shows what each of several links leads to, below one heading', async () => {
  await renderLinks(2)
  expect(await screen.findByRole('button', { name: 'Add Video v1 to the queue' })).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Add Video v2 to the queue' })).toBeDefined()
  expect(screen.getAllByRole('heading', { name: 'From your link - Click + to add to queue' })).toHaveLength(1)
})

it('15.30 opens at most 10 links at once, and says so', async () => {
  await renderLinks(12)
  expect(await screen.findByRole('button', { name: 'Add Video v10 to the queue' })).toBeDefined()
  expect(screen.getByText('The first 10 of 12 links. Paste the others later.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Add Video v11 to the queue' })).toBeNull()
})
