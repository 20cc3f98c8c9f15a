import { type Room, defaultRoomSettings } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { closedRoom } from '../../../engine/closed-room.ts'
import { answerCalls } from '../../../testing/contract-network.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { makeRoom } from '../../../testing/samples.ts'
import { roomSettings as texts } from '../../../texts/room-settings.ts'
import { RoomSettings } from './room-settings.tsx'

const bob = { id: 'u2', username: 'bob', avatar_url: null, is_owner: false }
const cay = { ...bob, id: 'u3', username: 'cay' }

/** Opens the settings of a room and resolves to what was sent. */
async function openSettings(room: Partial<Room> = {}, save?: () => Room) {
  const sent: unknown[] = []
  answerCalls({
    'PATCH /api/rooms/:roomId': ({ body }) => {
      sent.push(body)
      return { room: save ? save() : makeRoom(room) }
    },
  })
  const view = await renderInRoom(<RoomSettings room={makeRoom(room)} />, { room })
  fireEvent.click(await screen.findByRole('button', { name: texts.open }))
  await screen.findByRole('textbox', { name: texts.name })
  return { sent, ...view }
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: texts.save }))

it('17.20b the owner changes name, controls, guests, removal and privacy, and only what changed is sent', async () => {
  const { sent } = await openSettings()
  type(texts.name, 'Attic')
  fireEvent.click(screen.getByRole('radio', { name: /^Everybody/ }))
  fireEvent.click(screen.getByRole('radio', { name: /Only tracks they added/ }))
  fireEvent.click(screen.getByRole('switch', { name: texts.guestsChat }))
  fireEvent.click(screen.getByRole('switch', { name: texts.guestsQueue }))
  fireEvent.click(screen.getByRole('radio', { name: /Private/ }))
  save()
  expect(await screen.findByText('Private rooms require a password')).toBeDefined()
  expect(sent).toEqual([])
  type('Room Password', 'word')
  save()
  const settings = { control: 'everybody', removal: 'own', guestsChat: false, guestsQueue: false }
  await waitFor(() => expect(sent).toEqual([{ name: 'Attic', settings, isPublic: false, password: 'word' }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('17.20b what was typed stays when saving fails, and after closing', async () => {
  await openSettings({}, () => {
    throw new AppError('rate_limited')
  })
  type(texts.name, 'Attic')
  save()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(texts.saveFailed)
  expect(screen.getByLabelText<HTMLInputElement>(texts.name).value).toBe('Attic')
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: texts.open }))
  expect((await screen.findByLabelText<HTMLInputElement>(texts.name)).value).toBe('Attic')
})

it('17.435 the owner of a private room may keep its name from strangers', async () => {
  const { sent } = await openSettings({ is_public: false })
  const listed = screen.getByRole('switch', { name: texts.listed })
  expect(listed.getAttribute('aria-checked')).toBe('true')
  fireEvent.click(listed)
  save()
  await waitFor(() => expect(sent).toEqual([{ settings: { listed: false } }]))
})

it('17.478 the owner limits how many tracks a member may have waiting, and lifts the limit', async () => {
  const { sent, change } = await openSettings()
  const select = () => screen.getByLabelText<HTMLSelectElement>(texts.waitingTracks)
  const labels = ['No limit', 'At most 3', 'At most 10', 'At most 30']
  expect([...select().options].map(({ label }) => label)).toEqual(labels)
  expect(select().selectedOptions[0]?.label).toBe('No limit')
  type(texts.waitingTracks, '10')
  save()
  await waitFor(() => expect(sent).toEqual([{ settings: { waitingTracks: 10 } }]))
  const settings = { ...defaultRoomSettings, waitingTracks: 10 } as const
  act(() => change({ room: makeRoom({ settings }) }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('17.461 the owner lets the queue repeat', async () => {
  const { sent } = await openSettings()
  const repeat = screen.getByRole('switch', { name: texts.repeat })
  expect(repeat.getAttribute('aria-checked')).toBe('false')
  fireEvent.click(repeat)
  save()
  await waitFor(() => expect(sent).toEqual([{ settings: { repeat: true } }]))
})

it('17.470 the owner lets listeners vote to skip', async () => {
  const { sent } = await openSettings()
  const choice = (title: string) => screen.getByRole<HTMLInputElement>('radio', { name: new RegExp(title) })
  expect(choice(texts.skipVotesChoices.off.title).checked).toBe(true)
  fireEvent.click(choice(texts.skipVotesChoices.third.title))
  save()
  await waitFor(() => expect(sent).toEqual([{ settings: { skipVotes: 'third' } }]))
})

it('17.27 the owner hands the room over to a member with an account', async () => {
  const { change } = await openSettings()
  expect(screen.getByText(texts.handOverNobody)).toBeDefined()
  const asked: unknown[] = []
  answerCalls({
    'POST /api/rooms/:roomId/owner': ({ body }) => {
      asked.push(body)
      return { room: makeRoom({ owner_id: 'u3' }) }
    },
  })
  act(() => change({ members: [{ ...bob, is_guest: true }, { ...bob, id: 'u4', username: 'dan' }, cay] }))
  const select = screen.getByLabelText<HTMLSelectElement>(texts.handOverTo)
  expect([...select.options].map(({ label }) => label)).toEqual(['dan', 'cay'])
  fireEvent.change(select, { target: { value: 'u3' } })
  fireEvent.click(screen.getByText(texts.handOverConfirm('cay')))
  await waitFor(() => expect(asked).toEqual([{ userId: 'u3' }]))
})

it('17.105 settings that are open say who owns the room now, and close', async () => {
  const { change } = await openSettings()
  act(() => screen.getByLabelText<HTMLInputElement>(texts.name).focus())
  act(() => change({ room: makeRoom({ owner_id: 'u3' }) }))
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).getByRole('alert').textContent).toBe(texts.handedOver('ann'))
  expect(within(dialog).queryByRole('textbox')).toBeNull()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByRole('button', { name: texts.open })).toBeNull()
})

it('17.65 says when the new owner has too many rooms', async () => {
  const { change } = await openSettings()
  answerCalls({
    'POST /api/rooms/:roomId/owner': () => {
      throw new AppError('too_many_rooms')
    },
  })
  act(() => change({ members: [cay] }))
  fireEvent.click(screen.getByText(texts.handOverConfirm('cay')))
  expect((await screen.findByRole('alert')).textContent).toContain(texts.handOverTooMany)
})

it('17.28b the owner deletes the room after a confirmation, and a refusal is shown', async () => {
  await openSettings()
  const answers = [
    () => {
      throw new AppError('unavailable')
    },
    () => ({}),
  ]
  answerCalls({ 'DELETE /api/rooms/:roomId': () => answers.shift()?.() ?? {} })
  fireEvent.click(screen.getByText(texts.deleteConfirm('Kitchen Radio')))
  expect((await screen.findByRole('alert')).textContent).toContain(texts.deleteFailed)
  fireEvent.click(screen.getByText(texts.deleteConfirm('Kitchen Radio')))
  await waitFor(() => expect(closedRoom.getState()).toEqual({ roomId: 'r1', name: 'Kitchen Radio' }))
  closedRoom.setState(null, true)
})
