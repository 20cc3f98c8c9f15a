import { describe, expect, it } from 'vitest'
import { foldText } from './search-text.ts'

describe('text as search compares it', () => {
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
  ])('%j is %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  it('leaves the vowels of scripts that write them as marks', () => {
    expect(foldText('हिन्दी')).toBe('हिन्दी')
    expect(foldText('한국어')).toBe('한국어')
  })

  it('is the same when it is folded again', () => {
    for (const text of ['Mötley Crüe', 'ǅ', 'ﬁn', 'Σίσυφος'])
      expect(foldText(foldText(text))).toBe(foldText(text))
  })
})
