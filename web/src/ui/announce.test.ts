import { expect, it } from 'vitest'
import { announce } from './announce.ts'

it('17.345 what is read out is written into a region that was there before, empty', () => {
  const region = document.querySelector('body > [aria-live="polite"]')
  expect(region?.textContent).toBe('')
  announce('Added', 'Glasshouse')
  expect(region?.isConnected).toBe(true)
  expect([...(region?.children ?? [])].map((line) => line.textContent)).toEqual(['Added', 'Glasshouse'])
})
