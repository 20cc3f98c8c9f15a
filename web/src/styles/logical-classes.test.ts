import { expect, it } from 'vitest'

const sources = import.meta.glob<string>(['../**/*.tsx', '!../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Classes of one side of the screen, which logical ones (`ms-`, `border-s`) replace. */
const oneSided =
  /(?:^|[\s:'"`])-?(?:(?:m|p|border-|rounded-[tb]?|scroll-[mp])[lr]|text-left|text-right)(?=[-\s'"`])[^\s'"`]*/g

/** Class names that move to the right by a length, without a class that mirrors them. */
const findUnmirrored = (code: string): string[] =>
  [...code.matchAll(/(['"`])[^'"`]*\btranslate-x-\d(?!\/2)[^'"`]*\1/g)]
    .map(([found]) => found)
    .filter((found) => !found.includes('rtl:'))

it('17.106 the page is mirrored from right to left: no class is bound to one side', () => {
  const files = Object.entries(sources)
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap(([path, code]) =>
    [...(code.match(oneSided) ?? []), ...findUnmirrored(code)].map((each) => `${path}: ${each}`),
  )
  expect(found).toEqual([])
})

/**
 * Elements whose direction is that of their text, with a distance at its start or end: that may be the wrong side of
 * the page.
 */
const findTurned = (code: string): string[] =>
  [...code.matchAll(/<\w+[^<>]*\bdir="auto"[^<>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => /[\s":]-?[mp][se]-/.test(tag))

it('17.308 the distances of a name are on the side that the page has them, whatever direction the name has', () => {
  expect(findTurned('<h1 dir="auto" className="truncate slim:me-2">')).toHaveLength(1)
  expect(findTurned('<h1 className="slim:me-2"><span dir="auto" className="truncate">')).toEqual([])
  const found = Object.entries(sources).flatMap(([path, code]) =>
    findTurned(code).map((tag) => `${path}: ${tag}`),
  )
  expect(found).toEqual([])
})

it.each([
  '"ml-2"',
  '"sm:pr-4 flex"',
  '"beside:border-l beside:border-line"',
  '"text-left"',
  '"rounded-tr-md"',
])('17.106 a class of one side is found: %s', (code) => expect(code.match(oneSided)).toHaveLength(1))

it('17.106 a movement without its mirror is found, logical classes are not', () => {
  expect(findUnmirrored('"checked:translate-x-5"')).toHaveLength(1)
  expect(findUnmirrored('"translate-x-5 rtl:-translate-x-5"')).toEqual([])
  expect('"ms-2 border-s pe-4 text-start rounded-s-md plain mr"'.match(oneSided)).toHaveLength(1)
})
