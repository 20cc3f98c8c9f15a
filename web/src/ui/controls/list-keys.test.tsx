import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { withArrowKeys } from './list-keys.ts'

it('arrow keys move between the same control of adjacent items and stop at both ends', () => {
  render(
    <ul ref={withArrowKeys}>
      {['a', 'b', 'c'].map((name) => (
        <li key={name}>
          <button type="button">{name} play</button>
          <button type="button">{name} remove</button>
        </li>
      ))}
    </ul>,
  )
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
  const focused = () => document.activeElement?.textContent
  screen.getByText('a remove').focus()
  press('ArrowDown')
  expect(focused()).toBe('b remove')
  press('End')
  press('ArrowDown')
  expect(focused()).toBe('c remove')
  press('Home')
  press('ArrowUp')
  expect(focused()).toBe('a remove')
  press('x')
  expect(focused()).toBe('a remove')
})
