import { describe, expect, it } from 'vitest'
import type { Member } from '@earshot/core/protocol/entities'
import { orderMembers } from './members.ts'

const member = (id: string, isOwner = false): Member => ({
  id,
  username: id.toUpperCase(),
  avatar_url: null,
  is_owner: isOwner,
})

describe('the members of a room', () => {
  it('are shown with the owner first and the others in order of arrival', () => {
    const ordered = orderMembers([member('b'), member('a'), member('o', true), member('c')], 'o')
    expect(ordered.map(({ id }) => id)).toEqual(['o', 'b', 'a', 'c'])
  })

  it('are shown once, with their latest data', () => {
    const renamed = { ...member('a'), username: 'New' }
    expect(orderMembers([member('a'), member('b'), renamed], 'o')).toEqual([renamed, member('b')])
  })

  it('17.27 are shown with the owner of now, who may be another than when they joined', () => {
    const ordered = orderMembers([member('o', true), member('a')], 'a')
    expect(ordered).toEqual([member('a', true), member('o')])
  })
})
