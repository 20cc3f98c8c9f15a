import { expect, it } from 'vitest'
import { goBack, openPlace, placeAt, replacePlace } from './library-path.ts'

it('17.74 pages open one after the other, and back returns through them', () => {
  let path = openPlace('', { kind: 'artists', from: '' })
  path = openPlace(path, { kind: 'artist', id: 'art_a' })
  path = openPlace(path, { kind: 'album', id: 'alb_b' })
  expect(placeAt(path)).toEqual({ kind: 'album', id: 'alb_b' })
  path = goBack(path)
  expect(placeAt(path)).toEqual({ kind: 'artist', id: 'art_a' })
  expect(placeAt(goBack(path))).toEqual({ kind: 'artists', from: '' })
  expect(placeAt(goBack(goBack(path)))).toEqual({ kind: 'home' })
  expect(goBack('')).toBe('')
})

it('17.74 choosing a letter replaces the list; opening the same page twice is one step', () => {
  const path = replacePlace(openPlace('', { kind: 'albums', from: '' }), { kind: 'albums', from: 'm' })
  expect(placeAt(path)).toEqual({ kind: 'albums', from: 'm' })
  expect(goBack(path)).toBe('')
  const album = { kind: 'album', id: 'alb_b' } as const
  expect(openPlace(openPlace(path, album), album)).toBe(openPlace(path, album))
})

it('17.74 a path that cannot be read is the home page', () => {
  for (const path of ['', 'nonsense', 'album:', '/']) expect(placeAt(path)).toEqual({ kind: 'home' })
})
