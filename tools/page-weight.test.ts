import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { compressedSize, listFirstLoad } from '../bench/product/first-load.ts'
import { findCircle } from '../web/build/chunks.ts'
import { ensurePageBuilt } from './page.mjs'

const folder = join(import.meta.dirname, '..', 'web', 'dist')
/** Reads the audio files that are served as they are: mediabunny. */
const onDemand = /^other-file-.*\.js$/

// The build of `npm test` is up to date; alone, this builds the page.
beforeAll(() => ensurePageBuilt())

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

/** Lists the scripts and styles that one of the built pages loads at once, with their sizes in kB of brotli. */
function weigh(html: string) {
  return listFirstLoad(read, html).map((path) => ({
    path,
    kb: compressedSize(readFileSync(join(folder, path))) / 1_000,
  }))
}

const sum = (files: { kb: number }[]) => files.reduce((total, { kb }) => total + kb, 0)

it('17.85a home needs at most 117 kB of scripts and styles', () => {
  const files = weigh('index.html')
  expect(files.length).toBeGreaterThan(4)
  expect(sum(files)).toBeLessThanOrEqual(117)
})

it('17.85b a room needs at most 220 kB, with what decodes the tracks that the server has indexed', () => {
  expect(sum(weigh('room.html'))).toBeLessThanOrEqual(220)
})

it('17.488 what decodes a file that is served as it is has at most 63 kB more, which a room loads on demand', () => {
  const files = readdirSync(join(folder, 'assets')).filter((file) => onDemand.test(file))
  // One a language.
  expect(files).toHaveLength(3)
  const ofRoom = weigh('room.html').map(({ path }) => path)
  for (const file of files) {
    expect(compressedSize(readFileSync(join(folder, 'assets', file)))).toBeLessThanOrEqual(63_000)
    expect(ofRoom).not.toContain(`assets/${file}`)
  }
})

it.each([
  ['index.html', 5],
  ['room.html', 18],
])('17.270 %s loads at most %i scripts', (html, most) => {
  expect(listFirstLoad(read, html).filter((path) => path.endsWith('.js')).length).toBeLessThanOrEqual(most)
})

it('17.271 what other pages load has nothing of the room', () => {
  const others =
    /^((login|profile|admin|explore|create-room|reset-password|callback|spotify-test)-page|notices|\w+-popup)-.*\.js$/
  const files = readdirSync(join(folder, 'assets')).filter((file) => others.test(file))
  expect(files.length).toBeGreaterThanOrEqual(13)
  for (const file of files) {
    const loaded = listFirstLoad(read, `assets/${file}`)
    expect([file, ...loaded.filter((path) => path.startsWith('assets/room-page-'))]).toEqual([file])
  }
})

it('17.272 a circle of imports between scripts is found, and the path to it left out', () => {
  const imports = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['b']],
    ['d', ['e']],
    ['e', []],
  ])
  const circle = (files: string[]) => findCircle((file) => imports.get(file) ?? [], files)
  expect(circle(['a'])).toEqual(['b', 'c', 'b'])
  expect(circle(['d', 'e'])).toBeNull()
  imports.set('e', ['d'])
  expect(circle(['d', 'e'])).toEqual(['d', 'e', 'd'])
})

it('16.231 the list of third-party software names what the page is made of, with the licences', () => {
  const list = read('third-party.txt')
  for (const [name, licence] of [
    ['react', 'MIT'],
    ['@base-ui/react', 'MIT'],
    ['socket.io-client', 'MIT'],
    ['mediabunny', 'MPL-2.0'],
    ['@fontsource-variable/outfit', 'OFL-1.1'],
  ]) {
    const [, text = ''] = list.split(new RegExp(`^## ${name} - \\S+ \\(${licence}\\)$`, 'm'))
    expect([name, text.slice(0, 400)]).toEqual([name, expect.stringMatching(/licen[cs]e|copyright/i)])
  }
})
