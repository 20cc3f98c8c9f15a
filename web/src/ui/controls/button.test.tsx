import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Button } from './button.tsx'
import { translateTexts } from '../../testing/translate-texts.ts'

it('17.105 a button that was busy has the focus again, unless it went elsewhere', () => {
  const view = (isBusy: boolean) => (
    <>
      <Button isBusy={isBusy}>Save</Button>
      <input aria-label="Name" />
    </>
  )
  const { rerender } = render(view(false))
  const button = screen.getByRole('button', { name: 'Save' })
  const run = (meanwhile: () => void) => {
    button.focus()
    rerender(view(true))
    meanwhile()
    rerender(view(false))
  }
  // As browsers do once the button is disabled.
  run(() => button.blur())
  expect(document.activeElement).toBe(button)
  run(() => screen.getByLabelText('Name').focus())
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
})

it('17.330 the text of a button changes in a page that the browser translates', () => {
  const { container, rerender } = render(<Button>Save</Button>)
  translateTexts(container)
  rerender(<Button isBusy>Saving...</Button>)
  expect(screen.getByRole('button').textContent).toBe('Saving...')
})
