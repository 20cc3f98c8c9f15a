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

  it.each([
    ['Jay\u2010Z', 'jay-z'],
    ['a\u2011ha \u2212 1 \u2013 2 \u2014 3', 'a-ha - 1 - 2 - 3'],
    ['Weird “Al”', 'weird al'],
    ['Foo\u200bb\u00ada\u200er\ufeff', 'foobar'],
    ['ΚΟΣ', 'κοσ'],
    ['κοσμος', 'κοσμοσ'],
    ['أَحْمَد', 'احمد'],
    ['فيروز ـ موسيقى', 'فيروز موسيقي'],
    ['مدرسة', 'مدرسه'],
  ])('15.119 %j becomes %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  it('keeps the vowel marks of other scripts', () => {
    expect(foldText('हिन्दी')).toBe('हिन्दी')
    expect(foldText('한국어')).toBe('한국어')
  })

  it('does not change when it is folded again', () => {
    for (const text of ['Mötley Crüe', 'آهنگ', 'ǅ', 'ﬁn', 'Σίσυφος'])
      expect(foldText(foldText(text))).toBe(foldText(text))
  })
})

it('16.161 of many different words a search requires the eight longest', () => {
  expect(searchWords('la la land')).toEqual(['land', 'la'])
  expect(searchWords('a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh iiiiiiiii')).toEqual(
    'iiiiiiiii hhhhhhhh ggggggg ffffff eeeee dddd ccc bb'.split(' '),
  )
})

it.each([
  ['queen - bohemian rhapsody', ['bohemian', 'rhapsody', 'queen']],
  ['bohemian rhapsody (queen)', ['bohemian', 'rhapsody', 'queen']],
  ['queen: bohemian, p!nk', ['bohemian', 'queen', 'p!nk']],
  ['!!!', ['!!!']],
  ['+/- -', ['+/-', '-']],
  ['हिन्दी,', ['हिन्दी']],
])('15.117 a search for %j requires %j', (phrase, words) => {
  expect(searchWords(phrase)).toEqual(words)
})
