import { limits } from '@earshot/core/limits'

/** Letters without a Unicode decomposition, and their usual ASCII spelling. */
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
 * Normalises text for search: removes case, accents and apostrophes, and collapses white space, so that 'Björk' matches
 * 'bjork' and 'Don’t' matches 'dont'. Marks of scripts beyond Latin, Greek and Cyrillic stay: they can be vowels.
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

/** Returns the words of a folded phrase that a search requires: of many the longest, which are in the fewest texts. */
export function searchWords(phrase: string): string[] {
  const words = [...new Set(phrase.split(' '))]
  return words.toSorted((a, b) => b.length - a.length).slice(0, limits.searchWordsMax)
}

/** Three lines of this length, at three bytes a letter, fit into an index entry of PostgreSQL (2,704 bytes). */
const lineMaxLength = 250

/** Folds each text to one line of at most 250 characters and joins the lines: the form of the search columns. */
export function foldLines(lines: string[]): string {
  return lines.map((line) => foldText(line).slice(0, lineMaxLength).toWellFormed()).join('\n')
}
