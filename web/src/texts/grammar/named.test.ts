import { expect, it } from 'vitest'
import { door as german } from '../de/door.ts'
import { door } from '../door.ts'
import { people } from '../people.ts'

const isolated = '\u2068مرحبا!\u2069'

it('17.483 isolates names that are read from right to left, and leaves others as they are', () => {
  expect(door.private('مرحبا!')).toBe(`${isolated} is private`)
  expect(german.private('مرحبا!')).toBe(`${isolated} ist privat`)
  expect(door.private('Attic!')).toBe('Attic! is private')
  const scene = { owner: 'ann', track: 'Neon Harbour', isPlaying: true, isOwnerHere: true }
  expect(door.scene({ ...scene, room: 'مرحبا!' })).toBe(`ann is playing Neon Harbour in ${isolated}`)
})

it('17.483 keeps quotation marks around a name in their order', () => {
  expect(people.bannedTitle('مرحبا!')).toBe(`You are banned from “${isolated}”`)
})
