import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { nameLooks } from './migrations/020-name-looks.ts'
import { nameKeysOf } from './name-keys.ts'

const look = (name: string): string => nameKeysOf(name).name_look

it.each([
  ['Arne', 'Ame'],
  ['corn', 'com'],
  ['Barney', 'Bamey'],
])('16.89 %s and %s are two names', (one, other) => {
  expect(look(one)).not.toBe(look(other))
})

it.each([
  ['Arne', 'Аrne'],
  ['Arne', 'Arոe'],
  ['Tom', 'To\u217F'],
  ['Tom', 'Tоm'],
  ['Tom', 'To\uFF4D'],
  ['Tom', 'TO\u{1D426}'],
  ['Alice', 'aIice'],
  ['Bob0', 'BobO'],
  ['alice', '\u0430\u04CF\u0456\u0441\u0435'],
  ['Carl', 'Car\u04CF'],
])('16.89 %s and %s look alike, in letters of other scripts', (one, other) => {
  expect(look(other)).toBe(look(one))
})

it.each(['\u200B', '\uFFF9', '\uFFFB', '\uFFFC', '\u{16FE4}', '\u{1D159}'])(
  '15.71 an invisible character makes no other name (%#)',
  (character) => {
    expect(nameKeysOf(`Mar${character}lon`)).toEqual(nameKeysOf('Marlon'))
  },
)

describeDatabases('looks of names from before', (open) => {
  it('16.89 are computed again', async () => {
    const db = await open()
    const names = { username: 'Tom', full_name: 'Tom', name_key: 'tom', name_look: 'torn' }
    const flags = {
      spotify_connected: 0,
      youtube_connected: 0,
      match_elsewhere: 0,
      is_guest: 0,
      library_access: 0,
    }
    const others = {
      avatar_url: null,
      preferred_source: 'library',
      youtube_key: null,
      takes_name_of: null,
      created_at: 1,
    }
    await db
      .insertInto('profiles')
      .values({ id: 'a', ...names, ...flags, ...others })
      .execute()
    await nameLooks.up(db)
    const { name_look } = await db.selectFrom('profiles').select('name_look').executeTakeFirstOrThrow()
    expect(name_look).toBe('tom')
  })
})
