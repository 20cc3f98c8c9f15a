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
  const offerUndo = createUndoOffer((error) => failures.push(error))
  const offer = (removed: QueueEntry[], omitted = 0) =>
    offerUndo({
      count: removed.length,
      title: removed[0]?.title ?? '',
      restore: async () => {
        for (const entry of removed.slice(0, removed.length - omitted)) await restore(entry)
        return omitted
      },
    })
  onTestFinished(deliverNotices({ show: (notice) => shown.push(notice), close: () => undefined }))
  return {
    shown,
    failures,
    titles: () => queue.map(({ title }) => title),
    remove: (title: string) => {
      const entry = queue.find((each) => each.title === title)
      if (!entry) throw new Error(`Not in the queue: ${title}`)
      queue = renumber(queue.filter((each) => each !== entry))
      offer([entry])
    },
    clear: (omitted?: number) => {
      const removed = queue
      queue = []
      offer(removed, omitted)
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

it('17.475 one Undo puts back what was cleared, and what was removed before it while the notice was shown', async () => {
  const { shown, titles, remove, clear } = makeQueue(['a', 'b', 'c', 'd'])
  remove('b')
  clear()
  expect(titles()).toEqual([])
  expect(shown.map(({ title }) => title)).toEqual(['Track removed', '4 tracks removed'])
  shown.at(-1)?.action?.run()
  await vi.waitFor(() => expect(titles()).toEqual(['a', 'b', 'c', 'd']))
  expect(document.body.textContent).toContain('4 tracks are back in the queue')
})

it('17.475 says how many of the cleared tracks no longer fit', async () => {
  const { shown, failures, titles, clear } = makeQueue(['a', 'b', 'c'])
  clear(2)
  shown.at(-1)?.action?.run()
  await vi.waitFor(() =>
    expect(shown.at(-1)).toMatchObject({ kind: 'error', text: '2 tracks no longer fit in the queue.' }),
  )
  expect(titles()).toEqual(['a'])
  expect(failures).toEqual([])
})
