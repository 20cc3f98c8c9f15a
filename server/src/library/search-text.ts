/** Letters that have no decomposition in Unicode, as people type them on a keyboard without them. */
const plainLetters = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
])

/**
 * Text as search compares it: no case, no accents, no apostrophes, one blank between words. 'Björk' and 'bjork',
 * 'Don’t' and 'dont' are the same. Only the accents of the Latin, Greek and Cyrillic scripts go: in others a mark
 * can be the vowel.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'‘’ʼ`]/g, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => plainLetters.get(letter) ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC')
}
