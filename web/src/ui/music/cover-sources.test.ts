import { expect, it } from 'vitest'
import { coverSources } from './cover-sources.ts'

const url = '/api/tracks/lib_one/art?v=1'

it('13.20 covers are loaded in the size in which they are drawn, also on dense screens', () => {
  expect(coverSources(url, 40)).toEqual({
    src: `${url}&size=96`,
    srcSet: `${url}&size=96 1x, ${url}&size=96 2x, ${url}&size=320 3x`,
  })
  expect(coverSources(url, 150)).toEqual({
    src: `${url}&size=320`,
    srcSet: `${url}&size=320 1x, ${url}&size=320 2x, ${url}&size=640 3x`,
  })
  expect(coverSources(url, 'min(86vw, 66dvh)')).toEqual({ src: `${url}&size=640` })
  expect(coverSources('/api/tracks/lib_one/art', 900).src).toBe('/api/tracks/lib_one/art?size=640')
})

it('covers of other sources are loaded as they are', () => {
  expect(coverSources('https://i.example/cover.jpg', 40)).toEqual({ src: 'https://i.example/cover.jpg' })
})
