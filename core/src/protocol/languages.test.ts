import { expect, it } from 'vitest'
import { chooseLanguage, fileOf } from './languages.ts'

it.each([
  ['language=de', 'ar', 'de'],
  ['theme=dark; language=ar', 'de', 'ar'],
  ['language=xx', 'de', 'de'],
  ['mylanguage=de', undefined, 'en'],
  [undefined, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
  [undefined, 'AR-eg', 'ar'],
  [undefined, 'fr-FR, fr;q=0.9, ar;q=0.7, de;q=0.8', 'de'],
  [undefined, 'fr, de;q=0', 'en'],
  [undefined, 'de;q=abc', 'en'],
  [undefined, '*', 'en'],
  [undefined, `${'x,'.repeat(100_000)}de`, 'en'],
  [undefined, undefined, 'en'],
])('17.81 the cookie %s and the header %s choose %s', (cookies, accepted, language) => {
  expect(chooseLanguage(cookies, accepted)).toBe(language)
})

it('17.80 each language has its files, English those without a language in their name', () => {
  expect([fileOf('index.html', 'en'), fileOf('index.html', 'ar')]).toEqual(['index.html', 'index.ar.html'])
})
