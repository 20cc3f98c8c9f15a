import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { NoticesOnDemand } from '../notices/notices-on-demand.tsx'
import { partOnDemand } from './part-on-demand.tsx'

it('17.408 a popup whose code cannot be loaded says so, and offers to reload the page', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let isGone = true
  onTestFinished(() => {
    vi.useRealTimers()
    // The tests that follow load all parts ahead.
    isGone = false
  })
  const Part = partOnDemand<object>(() =>
    isGone ? Promise.reject(new TypeError('not found')) : Promise.resolve(() => null),
  )
  const onGivenUp = vi.fn<() => void>()
  render(
    <>
      <NoticesOnDemand load={async () => (await import('../notices/notices.tsx')).Notices} />
      <Part isWanted onGivenUp={onGivenUp} />
    </>,
  )
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await screen.findByText('This part could not be loaded')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined()
  expect(onGivenUp).toHaveBeenCalledOnce()
})

it('17.458 a popup that Escape gives up before its code is there stays closed, and can be opened again', async () => {
  let arrive = () => undefined as void
  const Content = ({ isOpen }: { isOpen: boolean }) => (isOpen ? <p>Choices</p> : null)
  const code = new Promise<typeof Content>((resolve) => (arrive = () => resolve(Content)))
  const Popup = partOnDemand(() => code, { isPopup: true })
  function Page() {
    const [isOpen, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        <Popup isWanted={isOpen} onGivenUp={() => setOpen(false)} isOpen={isOpen} />
      </>
    )
  }
  const { rerender } = render(<Page />)
  const button = screen.getByRole('button', { name: 'Open' })
  fireEvent.click(button)
  fireEvent.keyDown(button, { key: 'Escape' })
  arrive()
  await act(() => code)
  rerender(<Page />)
  expect(screen.queryByText('Choices')).toBeNull()
  fireEvent.click(button)
  expect(await screen.findByText('Choices')).toBeDefined()
})
