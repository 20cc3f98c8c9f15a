import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { SourceBadge } from './source-badge.tsx'
import { translateTexts } from '../../testing/translate-texts.ts'

it('17.330 a source that changes in a page that the browser translates is drawn', () => {
  const { container, rerender } = render(<SourceBadge source="spotify" />)
  translateTexts(container)
  rerender(<SourceBadge source="youtube" />)
  expect(container.textContent).toBe('YouTube')
  expect(container.querySelector('svg')?.classList).toContain('lucide-square-play')
})
