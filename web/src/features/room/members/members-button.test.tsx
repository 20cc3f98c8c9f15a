import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { MemberCount } from './members-button.tsx'

it('2.22a, 9.26 the room page shows the member count, or 1 member while it is unknown', () => {
  const { rerender } = render(<MemberCount count={0} />)
  expect(screen.getByText('1 member')).toBeDefined()
  rerender(<MemberCount count={12} />)
  expect(screen.getByText('12 members')).toBeDefined()
})
