import { describe, expect, it } from 'vitest'
import { foldText, searchWords } from './search-text.ts'

describe('folded text', () => {
  it.each([
    ['Björk', 'bjork'],
    ['BEYONCÉ', 'beyonce'],
    ['Sigur Rós', 'sigur ros'],
    ['Mø, Ærø & Łódź', 'mo, aero & lodz'],
    ['Straße', 'strasse'],
    ['Don’t Stop', 'dont stop'],
    ["Don't\tStop  ", 'dont stop'],
    ['Ｆｕｌｌ　Ｗｉｄｔｈ', 'full width'],
    ['İstanbul', 'istanbul'],
    ['Чайковский', 'чаиковскии'],
    ['100% _pure_ \\o/', '100% _pure_ \\o/'],
    ['', ''],
  ])('%j becomes %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  it('keeps the vowel marks of other scripts', () => {
    expect(foldText('हिन्दी')).toBe('हिन्दी')
    expect(foldText('한국어')).toBe('한국어')
  })

  it('does not change when it is folded again', () => {
    for (const text of ['Mötley Crüe', 'ǅ', 'ﬁn', 'Σίσυφος'])
      expect(foldText(foldText(text))).toBe(foldText(text))
  })
})

it('16.161 of many different words a search requires the eight longest', () => {
  expect(searchWords('la la land')).toEqual(['land', 'la'])
  expect(searchWords('a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh iiiiiiiii')).toEqual(
    'iiiiiiiii hhhhhhhh ggggggg ffffff eeeee dddd ccc bb'.split(' '),
  )
})
