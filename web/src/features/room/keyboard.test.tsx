import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { currentVisit } from '../../engine/current-visit.ts'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { useRoomKeys, KeyboardSheet } from './keyboard.tsx'

function Keys({ onListen, onHelp = () => undefined }: { onListen: () => void; onHelp?: () => void }) {
  useRoomKeys({ onHelp, onListen })
  return <KeyboardSheet isOpen onClose={() => undefined} />
}

const press = (key: string, init?: KeyboardEventInit) => fireEvent.keyDown(document.body, { key, ...init })
const isMuted = () => currentVisit.getState()?.store.getState().isMuted

it('17.8 single-key shortcuts are switched off and on again, and the device remembers it', async () => {
  const onListen = vi.fn<() => void>()
  await renderInRoom(<Keys onListen={onListen} />)
  press('m')
  expect(isMuted()).toBe(true)
  const toggle = await screen.findByRole('switch', { name: 'Single-key shortcuts' })
  fireEvent.click(toggle)
  press('m')
  press('f')
  expect([isMuted(), onListen.mock.calls.length, localStorage.getItem('shortcuts:v1')]).toEqual([
    true,
    0,
    'off',
  ])
  fireEvent.click(toggle)
  press('m')
  expect([isMuted(), localStorage.getItem('shortcuts:v1')]).toEqual([false, 'on'])
})

it('17.344 on a keyboard of another script a shortcut is the key in its place, and on a Latin one the letter', async () => {
  const onHelp = vi.fn<() => void>()
  await renderInRoom(<Keys onListen={() => undefined} onHelp={onHelp} />)
  press('ة', { code: 'KeyM' })
  expect(isMuted()).toBe(true)
  press('Ь', { code: 'KeyM', shiftKey: true })
  expect(isMuted()).toBe(false)
  press('؟', { code: 'Slash', shiftKey: true })
  expect(onHelp).toHaveBeenCalledOnce()
  press('ö', { code: 'KeyM' })
  press(',', { code: 'KeyM' })
  expect(isMuted()).toBe(false)
  press('m', { code: 'Semicolon' })
  expect(isMuted()).toBe(true)
})
