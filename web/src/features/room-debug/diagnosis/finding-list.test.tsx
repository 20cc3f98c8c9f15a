import { toFindings, type FindingCode } from '@earshot/core/diagnosis/findings'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { FindingList } from './finding-list.tsx'

function show(...codes: FindingCode[]) {
  render(<FindingList findings={toFindings(codes)} />)
  return screen.getAllByRole('listitem').map((item) => item.textContent)
}

it('2.37c says that everything looks good, and what is harmless', () => {
  const [first, second] = show('device_clock_off')
  expect(first).toMatch(/^Everything looks good/)
  expect(second).toMatch(/^Harmless: The clock of this device is off/)
})

it('2.37c says what is wrong and what to do, the worst first', () => {
  const [first, second, ...rest] = show('long_polling', 'sound_blocked')
  expect(first).toMatch(/^Problem: The browser blocks the sound.*Press Tap to listen/)
  expect(second).toMatch(/^Notice: Long polling instead of WebSocket/)
  expect(rest).toEqual([])
})
