import { languages } from '@earshot/core/protocol/languages'
import { expect, it } from 'vitest'
import type { Translated } from './translated.ts'

/** A type error where a translation of a file lacks one of its exports, or has another type. */
type Complete<English, German extends Translated<English>, Arabic extends Translated<English>> = [
  German,
  Arabic,
]

type Files = [
  Complete<typeof import('./admin.ts'), typeof import('./de/admin.ts'), typeof import('./ar/admin.ts')>,
  Complete<typeof import('./chat.ts'), typeof import('./de/chat.ts'), typeof import('./ar/chat.ts')>,
  Complete<typeof import('./common.ts'), typeof import('./de/common.ts'), typeof import('./ar/common.ts')>,
  Complete<
    typeof import('./connection-tester.ts'),
    typeof import('./de/connection-tester.ts'),
    typeof import('./ar/connection-tester.ts')
  >,
  Complete<
    typeof import('./create-room.ts'),
    typeof import('./de/create-room.ts'),
    typeof import('./ar/create-room.ts')
  >,
  Complete<
    typeof import('./diagnosis.ts'),
    typeof import('./de/diagnosis.ts'),
    typeof import('./ar/diagnosis.ts')
  >,
  Complete<
    typeof import('./document.ts'),
    typeof import('./de/document.ts'),
    typeof import('./ar/document.ts')
  >,
  Complete<typeof import('./door.ts'), typeof import('./de/door.ts'), typeof import('./ar/door.ts')>,
  Complete<
    typeof import('./find-music.ts'),
    typeof import('./de/find-music.ts'),
    typeof import('./ar/find-music.ts')
  >,
  Complete<typeof import('./home.ts'), typeof import('./de/home.ts'), typeof import('./ar/home.ts')>,
  Complete<
    typeof import('./language-choice.ts'),
    typeof import('./de/language-choice.ts'),
    typeof import('./ar/language-choice.ts')
  >,
  Complete<
    typeof import('./language.ts'),
    typeof import('./de/language.ts'),
    typeof import('./ar/language.ts')
  >,
  Complete<typeof import('./login.ts'), typeof import('./de/login.ts'), typeof import('./ar/login.ts')>,
  Complete<
    typeof import('./now-playing.ts'),
    typeof import('./de/now-playing.ts'),
    typeof import('./ar/now-playing.ts')
  >,
  Complete<typeof import('./people.ts'), typeof import('./de/people.ts'), typeof import('./ar/people.ts')>,
  Complete<typeof import('./profile.ts'), typeof import('./de/profile.ts'), typeof import('./ar/profile.ts')>,
  Complete<typeof import('./queue.ts'), typeof import('./de/queue.ts'), typeof import('./ar/queue.ts')>,
  Complete<
    typeof import('./reactions.ts'),
    typeof import('./de/reactions.ts'),
    typeof import('./ar/reactions.ts')
  >,
  Complete<
    typeof import('./room-settings.ts'),
    typeof import('./de/room-settings.ts'),
    typeof import('./ar/room-settings.ts')
  >,
  Complete<typeof import('./room.ts'), typeof import('./de/room.ts'), typeof import('./ar/room.ts')>,
  Complete<typeof import('./times.ts'), typeof import('./de/times.ts'), typeof import('./ar/times.ts')>,
]

const modules = import.meta.glob<Record<string, unknown>>(['./**/*.ts', '!./**/*.test.ts'], { eager: true })

/** The files of texts, which every language has; `translated.ts` is a type only. */
const files: Files['length'] extends number ? string[] : never = Object.keys(modules)
  .filter((path) => /^\.\/[\w-]+\.ts$/.test(path) && path !== './translated.ts')
  .map((path) => path.slice(2))

/** Lists the paths of all messages in a value, each with its kind. */
function listMessages(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([name, part]) => listMessages(part, `${path}/${name}`))
}

it.each(languages.slice(1))('17.80 every message of the page is there in %s, and no other', (language) => {
  for (const file of files) {
    const translated = modules[`./${language}/${file}`]
    expect([file, listMessages(translated).toSorted()]).toEqual([
      file,
      listMessages(modules[`./${file}`]).toSorted(),
    ])
  }
})

it('17.80 no sentence is left in English', () => {
  const sentences = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value].filter((text) => text.split(' ').length > 3 && !text.startsWith('npm '))
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(sentences)
        : []
  const english = new Set(files.flatMap((file) => sentences(modules[`./${file}`])))
  expect(english.size).toBeGreaterThan(200)
  for (const language of languages.slice(1)) {
    const translated = files.flatMap((file) => sentences(modules[`./${language}/${file}`]))
    expect(translated.filter((text) => english.has(text))).toEqual([])
  }
})
