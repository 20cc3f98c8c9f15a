import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { PlaybackButtons } from './transport.tsx'

it('17.303 the hint of Previous tells both places it goes to', async () => {
  await renderInRoom(<PlaybackButtons />)
  fireEvent.pointerEnter(screen.getByRole('button', { name: 'Previous' }), { pointerType: 'mouse' })
  const hint = 'Back to the start; in the first 3 seconds, to the track before'
  expect(await screen.findByText(hint)).toBeDefined()
})
