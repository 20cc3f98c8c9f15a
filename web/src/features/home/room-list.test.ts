import { expect, it } from 'vitest'
import { makeRoom } from '../../testing/samples.ts'
import { filterAndSortRooms } from './room-list.tsx'

const rooms = [
  makeRoom({ id: 'a', name: 'Kitchen Radio', listeners: 2 }),
  makeRoom({ id: 'b', name: 'Deep focus', listeners: 9 }),
  makeRoom({ id: 'c', name: 'RADIO Nowhere', listeners: 4 }),
  makeRoom({ id: 'd', name: 'Late', listeners: 4 }),
]
const ids = (query: string) => filterAndSortRooms(rooms, query).map((room) => room.id)

it('2.12 finds rooms by name, ignoring case', () => {
  expect(ids('radio')).toEqual(['c', 'a'])
  expect(ids(' FOCUS ')).toEqual(['b'])
  expect(ids('zzz')).toEqual([])
})

it('2.13a sorts by listener count, highest first, and keeps the order of equals', () => {
  expect(ids('')).toEqual(['b', 'c', 'd', 'a'])
})
