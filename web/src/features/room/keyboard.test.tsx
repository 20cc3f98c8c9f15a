import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { roomVisit } from '../../engine/room-visit.ts'
import { renderInRoom } from '../../testing/render-in-room.tsx'
import { useRoomKeys, KeyboardSheet } from './keyboard.tsx'

function Keys({ onListen }: { onListen: () => void }) {
  useRoomKeys({ onHelp: () => undefined, onListen })
  return <KeyboardSheet isOpen onClose={() => undefined} />
}

const press = (key: string) => fireEvent.keyDown(document.body, { key })
const isMuted = () => roomVisit.getState()?.store.getState().isMuted

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
