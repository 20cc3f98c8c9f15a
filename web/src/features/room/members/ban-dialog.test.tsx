import type { Member } from '@earshot/core/protocol/entities'
import { fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { answerCalls } from '../../../testing/contract-network.ts'
import { renderInRoom } from '../../../testing/render-in-room.tsx'
import { BanDialog } from './ban-dialog.tsx'

const people: Member[] = ['ann', 'ben'].map((id) => ({ id, username: id, avatar_url: null, is_owner: false }))

function Bans() {
  const [member, setMember] = useState<Member | null>(null)
  return (
    <>
      {people.map((each) => (
        <button key={each.id} type="button" onClick={() => setMember(each)}>
          {each.username}
        </button>
      ))}
      <BanDialog member={member} onClose={() => setMember(null)} />
    </>
  )
}

it('17.476 the dialog of a ban asks whether tracks and messages go too; otherwise they stay', async () => {
  const bodies: unknown[] = []
  answerCalls({
    'POST /api/rooms/:roomId/bans/:userId': ({ body }) => {
      bodies.push(body)
      return {}
    },
  })
  await renderInRoom(<Bans />)
  const open = async (name: string) => {
    fireEvent.click(screen.getByText(name))
    const dialog = within(await screen.findByRole('dialog', { name: `Ban ${name}?` }))
    const box = dialog.getByRole<HTMLInputElement>('checkbox', { name: /^Also remove/ })
    const confirm = () => fireEvent.click(dialog.getByRole('button', { name: 'Ban' }))
    return { box, confirm }
  }
  const closes = () => vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const first = await open('ann')
  expect(first.box.checked).toBe(false)
  fireEvent.click(first.box)
  first.confirm()
  await closes()
  const second = await open('ben')
  expect(second.box.checked).toBe(false)
  second.confirm()
  await closes()
  expect(bodies).toEqual([{ removeContent: true }, { removeContent: false }])
})
