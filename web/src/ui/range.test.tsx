import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Range } from './range.tsx'

it('reports dragging and release; arrow keys move it by the key step', () => {
  const calls: [string, number][] = []
  render(
    <Range
      label="Position"
      max={100}
      step={1}
      keyStep={20}
      onInput={(value) => calls.push(['input', value])}
      onCommit={(value) => calls.push(['commit', value])}
    />,
  )
  const slider = screen.getByRole('slider', { name: 'Position' })
  fireEvent.input(slider, { target: { value: '40' } })
  fireEvent(slider, new Event('change', { bubbles: true }))
  fireEvent.keyDown(slider, { key: 'ArrowRight' })
  fireEvent.keyDown(slider, { key: 'ArrowLeft' })
  fireEvent.keyDown(slider, { key: 'Tab' })
  expect(calls).toEqual([
    ['input', 40],
    ['commit', 40],
    ['commit', 60],
    ['commit', 40],
  ])
})

it('shows the given value', () => {
  const { rerender } = render(<Range label="Volume" max={1} step={0.05} value={0.5} />)
  const slider = screen.getByRole<HTMLInputElement>('slider')
  expect([slider.value, slider.style.getPropertyValue('--fill')]).toEqual(['0.5', '0.5'])
  rerender(<Range label="Volume" max={1} step={0.05} value={0} />)
  expect([slider.value, slider.style.getPropertyValue('--fill')]).toEqual(['0', '0'])
})
