import { serverLimits } from '../server-limits.ts'

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
  ['ς', 'σ'],
  ['ٱ', 'ا'],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ک', 'ك'],
  ['ة', 'ه'],
])

const dashes = /[\u2010-\u2015\u2212]/g
/** Accents, vowel marks and lengthening of Arabic, quotation marks, and what is invisible. */
const unsearched = /[\u0300-\u036f\u0640\u064b-\u0655\u0670'‘’‛ʼ`"“”„‟«»\p{Cf}]/gu

/**
 * Normalises text for search: removes case, accents and quotation marks, and collapses white space, so that 'Björk'
 * matches 'bjork' and 'Don’t' matches 'dont'. Marks of scripts beyond Latin, Greek, Cyrillic and Arabic stay: they
 * can be vowels.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(unsearched, '')
    .replace(dashes, '-')
    .replace(/[ßæœøłđðþıςٱىیکة]/g, (letter) => plainLetters.get(letter) ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC')
}

const punctuationAround = /^[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+$/gu

/**
 * Returns the words of a folded phrase that a search requires, without the punctuation around them: of many the longest,
 * which are in the fewest texts.
 */
export function searchWords(phrase: string): string[] {
  const words = phrase.split(' ')
  const bare = words.map((word) => word.replace(punctuationAround, '')).filter((word) => word !== '')
  return [...new Set(bare.length > 0 ? bare : words)]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, serverLimits.searchWordsMax)
}

/** Three lines of this length, at three bytes a letter, fit into an index entry of PostgreSQL (2,704 bytes). */
const lineMaxLength = 250

/** Folds each text to one line of at most 250 characters and joins the lines: the form of the search columns. */
export function foldLines(lines: string[]): string {
  return lines.map((line) => foldText(line).slice(0, lineMaxLength).toWellFormed()).join('\n')
}
