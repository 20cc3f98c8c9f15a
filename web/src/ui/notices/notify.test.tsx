import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { contentId } from '../page/content-focus.ts'
import { NoticesOnDemand } from './notices-on-demand.tsx'
import { noticesPlace } from './notices-place.ts'
import { Notices } from './notices.tsx'
import { deliverNotices, notify, type PostedNotice } from './notify.ts'

const loadNotices = async () => (await import('./notices.tsx')).Notices

function collect(post: () => void): PostedNotice[] {
  const shown: PostedNotice[] = []
  const stop = deliverNotices({ show: (notice) => shown.push(notice), close: () => undefined })
  post()
  stop()
  return shown
}

it('9.22 notices last 2 to 10 s', () => {
  const durations = [1, undefined, 5_000, 60_000].map(
    (durationMs) => collect(() => notify({ kind: 'error', title: 'x', durationMs }))[0]?.durationMs ?? 0,
  )
  expect(durations[0]).toBe(2_000)
  expect(durations[2]).toBe(5_000)
  expect(durations[3]).toBe(10_000)
  expect(durations.every((ms) => ms >= 2_000 && ms <= 10_000)).toBe(true)
})

it('queues a notice until it can be shown', () => {
  notify({ kind: 'info', title: 'early' })
  expect(collect(() => undefined).map((notice) => notice.title)).toEqual(['early'])
  expect(collect(() => undefined)).toEqual([])
})

it('never shows the same notice twice at a time', async () => {
  render(<NoticesOnDemand load={loadNotices} />)
  act(() => {
    notify({ kind: 'info', title: 'Syncing' })
    notify({ kind: 'info', title: 'Syncing' })
    notify({ kind: 'warning', title: 'Syncing', text: 'another' })
  })
  await screen.findByText('another')
  await waitFor(() => expect(screen.getAllByText('Syncing')).toHaveLength(2))
  act(() => notify({ kind: 'info', title: 'Syncing' }))
  expect(screen.getAllByText('Syncing')).toHaveLength(2)
})

it('17.394 tells the latest notice of a topic, and no earlier one, that it was closed', async () => {
  render(<NoticesOnDemand load={loadNotices} />)
  const closed: string[] = []
  const show = (title: string) =>
    act(() => notify({ kind: 'info', title, topic: 'removal', onClose: () => closed.push(title) }))
  show('one')
  show('two')
  await screen.findByText('two')
  expect(closed).toEqual([])
  fireEvent.click(screen.getByLabelText('Close'))
  expect(closed).toEqual(['two'])
})

/** Renders notices where only the newest is shown, on a fake clock. */
function renderOverTopBar() {
  vi.useFakeTimers()
  noticesPlace.setState({ isTopBar: true })
  onTestFinished(() => {
    noticesPlace.setState({ isTopBar: false })
    vi.useRealTimers()
  })
  render(<Notices />)
  return {
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
    shown: () =>
      screen
        .queryAllByRole('dialog')
        .filter((notice) => !notice.hasAttribute('data-limited'))
        .map((notice) => notice.querySelector('h2')?.textContent),
  }
}

const offerUndo = (title: string) =>
  act(() => {
    const action = { label: 'Undo', run: () => undefined }
    notify({ kind: 'info', title, topic: 'removal', action, durationMs: 8_000 })
  })
const say = (title: string) => act(() => notify({ kind: 'info', title, durationMs: 4_000 }))

it('17.436 the time of an Undo stands still behind a newer notice, and then begins anew', async () => {
  const { pass, shown } = renderOverTopBar()
  offerUndo('Removed')
  await pass(6_000)
  say('Saved')
  expect(shown()).toEqual(['Saved'])
  await pass(4_500)
  expect(shown()).toEqual(['Removed'])
  await pass(7_000)
  expect(shown()).toEqual(['Removed'])
  await pass(1_500)
  expect(shown()).toEqual([])
})

it('17.436 a notice that is shown again is the newest', async () => {
  const { pass, shown } = renderOverTopBar()
  offerUndo('Removed')
  await pass(1_000)
  say('Saved')
  offerUndo('Removed two')
  await pass(100)
  expect(shown()).toEqual(['Removed two'])
})

it.each([
  ['Undo', () => screen.findByText('Undo')],
  ['Close', () => screen.findByLabelText('Close')],
])(
  '17.105 a notice closed by its button %s gives the focus back, or to the content where what had it is gone',
  async (_name, find) => {
    render(
      <main id={contentId} tabIndex={-1}>
        <button type="button">Before</button>
        <NoticesOnDemand load={loadNotices} />
      </main>,
    )
    const before = screen.getByRole('button', { name: 'Before' })
    const close = async () => {
      before.focus()
      offerUndo('Removed')
      const closing = await find()
      closing.focus()
      fireEvent.click(closing)
      await waitFor(() => expect(closing.isConnected).toBe(false))
    }
    await close()
    await waitFor(() => expect(document.activeElement).toBe(before))
    before.addEventListener('blur', () => before.remove())
    await close()
    await waitFor(() => expect(document.activeElement?.id).toBe(contentId))
  },
)
