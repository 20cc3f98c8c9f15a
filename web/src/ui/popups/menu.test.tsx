import { fireEvent, render, screen } from '@testing-library/react'
import { Copy } from 'lucide-react'
import { expect, it, vi } from 'vitest'
import { Menu } from './menu.tsx'

it('a menu opens by click and by arrow down, and runs what is chosen', async () => {
  const onChoose = vi.fn<() => void>()
  render(
    <Menu
      trigger={<button type="button">Actions</button>}
      choices={[{ icon: Copy, text: 'Copy', onChoose }]}
    />,
  )
  const button = screen.getByRole('button', { name: 'Actions' })
  fireEvent.keyDown(button, { key: 'ArrowUp' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  fireEvent.keyDown(button, { key: 'ArrowDown' })
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy' }))
  expect(onChoose).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('false'))
  fireEvent.click(button)
  expect(await screen.findByRole('menuitem', { name: 'Copy' })).toBeTruthy()
})
