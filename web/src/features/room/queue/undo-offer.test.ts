import type { QueueEntry } from '@earshot/core/protocol/entities'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeEntry } from '../../../testing/samples.ts'
import { deliverNotices, type PostedNotice } from '../../../ui/notices/notify.ts'
import { createUndoOffer } from './undo-offer.ts'

/** A queue of which entries are removed with an offer to undo it, and the notices that are shown. */
function makeQueue(titles: string[]) {
  const shown: PostedNotice[] = []
  const failures: unknown[] = []
  let queue = titles.map((title, position) => makeEntry({ title, entry_id: title, position }))
  const renumber = (entries: QueueEntry[]) => entries.map((entry, position) => ({ ...entry, position }))
  const restore = async (entry: QueueEntry) => {
    if (entry.title === 'gone') throw new Error('Removed too long ago')
    await Promise.resolve()
    queue = renumber(queue.toSpliced(entry.position, 0, entry))
  }
  const offerUndo = createUndoOffer(restore, (error) => failures.push(error))
  onTestFinished(deliverNotices({ show: (notice) => shown.push(notice), close: () => undefined }))
  return {
    shown,
    failures,
    titles: () => queue.map(({ title }) => title),
    remove: (title: string) => {
      const entry = queue.find((each) => each.title === title)
      if (!entry) throw new Error(`Not in the queue: ${title}`)
      queue = renumber(queue.filter((each) => each !== entry))
      offerUndo(entry)
    },
  }
}

it('17.394 one Undo puts back all entries that were removed while the notice was shown, each in its place', async () => {
  const { shown, failures, titles, remove } = makeQueue(['a', 'b', 'c', 'd'])
  for (const title of ['b', 'a', 'd']) remove(title)
  expect(new Set(shown.map(({ id }) => id)).size).toBe(1)
  expect(shown.map(({ title, text }) => [title, text])).toEqual([
    ['Track removed', '"b" removed from the queue'],
    ['2 tracks removed', undefined],
    ['3 tracks removed', undefined],
  ])
  shown.at(-1)?.action?.run()
  await vi.waitFor(() => expect(titles()).toEqual(['a', 'b', 'c', 'd']))
  expect(document.body.textContent).toContain('3 tracks are back in the queue')
  expect(failures).toEqual([])
})

it('17.394 what was removed before the notice closed stays removed', async () => {
  const { shown, titles, remove } = makeQueue(['a', 'b', 'c'])
  remove('a')
  shown[0]?.onClose?.()
  remove('b')
  expect(shown[1]).toMatchObject({ title: 'Track removed', text: '"b" removed from the queue' })
  shown[1]?.action?.run()
  await vi.waitFor(() => expect(titles()).toEqual(['b', 'c']))
})

it('17.394 says so where an entry can no longer be put back, and puts back the others', async () => {
  const { shown, failures, titles, remove } = makeQueue(['a', 'gone', 'b', 'c'])
  for (const title of ['a', 'gone', 'b']) remove(title)
  shown.at(-1)?.action?.run()
  await vi.waitFor(() => expect(failures).toHaveLength(1))
  expect(titles()).toEqual(['a', 'b', 'c'])
})

it('17.394 entries that the server no longer has are not counted', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { shown, remove } = makeQueue(['a', 'b', 'c'])
  remove('a')
  vi.advanceTimersByTime(53_000)
  remove('b')
  remove('c')
  expect(shown.at(-1)?.title).toBe('2 tracks removed')
})
