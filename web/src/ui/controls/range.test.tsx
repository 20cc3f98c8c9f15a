import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Range } from './range.tsx'

const noInput = () => undefined

it('reports every movement', () => {
  const moves: number[] = []
  render(
    <Range
      label="Volume"
      max={1}
      step={0.05}
      value={0}
      valueText="0%"
      onInput={(value) => moves.push(value)}
    />,
  )
  fireEvent.change(screen.getByRole('slider', { name: 'Volume' }), { target: { value: '0.4' } })
  expect(moves).toEqual([0.4])
})

it('shows the given value', () => {
  const range = (value: number) => (
    <Range label="Volume" max={1} step={0.05} value={value} valueText={`${value}`} onInput={noInput} />
  )
  const { rerender } = render(range(0.5))
  const slider = screen.getByRole<HTMLInputElement>('slider')
  expect([slider.value, slider.style.getPropertyValue('--fill')]).toEqual(['0.5', '0.5'])
  rerender(range(0))
  expect([slider.value, slider.style.getPropertyValue('--fill')]).toEqual(['0', '0'])
})
