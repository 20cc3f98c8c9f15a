import { expect, it } from 'vitest'
import { goBack, openPage, pageAt, replacePage } from './library-path.ts'

it('17.74 pages open one after the other, and back returns through them', () => {
  let path = openPage('', { kind: 'artists', from: '' })
  path = openPage(path, { kind: 'artist', id: 'art_a' })
  path = openPage(path, { kind: 'album', id: 'alb_b' })
  expect(pageAt(path)).toEqual({ kind: 'album', id: 'alb_b' })
  path = goBack(path)
  expect(pageAt(path)).toEqual({ kind: 'artist', id: 'art_a' })
  expect(pageAt(goBack(path))).toEqual({ kind: 'artists', from: '' })
  expect(pageAt(goBack(goBack(path)))).toEqual({ kind: 'home' })
  expect(goBack('')).toBe('')
})

it('17.74 choosing a letter replaces the list; opening the same page twice is one step', () => {
  const path = replacePage(openPage('', { kind: 'albums', from: '' }), { kind: 'albums', from: 'm' })
  expect(pageAt(path)).toEqual({ kind: 'albums', from: 'm' })
  expect(goBack(path)).toBe('')
  const album = { kind: 'album', id: 'alb_b' } as const
  expect(openPage(openPage(path, album), album)).toBe(openPage(path, album))
})

it('17.74 a path that cannot be read is the home page', () => {
  for (const path of ['', 'nonsense', 'album:', '/']) expect(pageAt(path)).toEqual({ kind: 'home' })
})
