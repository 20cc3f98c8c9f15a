import { describe, expect, it } from 'vitest'
import { cleanTagText } from './tag-text.ts'

describe('the text of a tag', () => {
  it.each([
    [undefined, ''],
    ['  Blue\u0000\u0000', 'Blue'],
    ['Two\r\nlines\tand  blanks', 'Two lines and blanks'],
    ['Cafe\u0301', 'Café'],
    ['BjÃ¶rk', 'Björk'],
    ['CafÃ© æ\u0097¥æ\u009c¬', 'Café 日本'],
    ['Björk', 'Björk'],
    ['Ã la carte', 'Ã la carte'],
    ['日本', '日本'],
  ])('%j is shown as %j', (text, shown) => {
    expect(cleanTagText(text)).toBe(shown)
  })

  it('is at most 500 characters, and never half a character', () => {
    expect(cleanTagText('a'.repeat(600))).toHaveLength(500)
    const shown = cleanTagText(`${'a'.repeat(499)}🎵`)
    expect(shown.isWellFormed()).toBe(true)
    expect(shown).toHaveLength(500)
  })
})
