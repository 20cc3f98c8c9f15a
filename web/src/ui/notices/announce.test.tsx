import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { announce, announceWhile } from './announce.ts'
import { Dialog } from '../popups/dialog.tsx'

it('17.345 what is read out is written into a region that was there before, empty', () => {
  const region = document.querySelector('body > [aria-live="polite"]')
  expect(region?.textContent).toBe('')
  announce('Added', 'Glasshouse')
  expect(region?.isConnected).toBe(true)
  expect([...(region?.children ?? [])].map((line) => line.textContent)).toEqual(['Added', 'Glasshouse'])
})

it('17.345 what is read out is not hidden by an open dialog', async () => {
  announce('Added')
  render(
    <>
      <p>Behind it</p>
      <Dialog isOpen onClose={() => undefined} title="Settings">
        Choices
      </Dialog>
    </>,
  )
  await screen.findByRole('dialog')
  const isHidden = (text: string) => screen.getByText(text).closest('[aria-hidden="true"]') !== null
  expect([isHidden('Behind it'), isHidden('Added')]).toEqual([true, false])
})

it('17.353 what holds on stays among what is read out, and further lines with it', () => {
  announce('Added')
  const takeBack = announceWhile('Tap to listen')
  announce('Removed')
  const region = document.querySelector('body > [aria-live="polite"]')
  const lines = () => [...(region?.children ?? [])].map((line) => line.textContent)
  expect(lines()).toEqual(['Tap to listen', 'Removed'])
  takeBack()
  expect(lines()).toEqual(['Removed'])
})
