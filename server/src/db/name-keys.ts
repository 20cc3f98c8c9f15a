import lookLike from 'unhomoglyph'

/** The keys that make a user name unique: two names with an equal `name` or an equal `look` are one name to a reader. */
interface NameKeys {
  /** Without case, width and characters that are not displayed. */
  name_key: string
  /** Also with each character replaced by the one that it looks like (Unicode's list of confusable characters). */
  name_look: string
}

/** Returns the keys of a user name. */
export function nameKeysOf(username: string): NameKeys {
  const plain = username
    .normalize('NFKC')
    .replace(
      /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800\uFFFC\u{13441}\u{13442}\u{16FE4}\u{1D159}]/gu,
      '',
    )
    .replace(/\s+/g, ' ')
    .trim()
  return { name_key: foldCase(plain), name_look: foldCase(lookOf(plain)) }
}

/**
 * The list equates m with rn, and so Ame with Arne: two ordinary names. All that looks like m in other scripts is still
 * m here, and all that looks like r and n is still those.
 */
function lookOf(text: string): string {
  return Array.from(text, (character) => {
    // The list leads from the small palochka over a dotless i to i. Fonts draw it like the capital one: as l.
    const look = lookLike(character === '\u04CF' ? '\u04C0' : character)
    return look.startsWith('rn') ? `m${look.slice(2)}` : look
  }).join('')
}

/** Upper case first: it unites letters such as ß and ss, and both forms of sigma. */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().normalize('NFC')
}

/** Returns a user name with a number: ann for 1, then ann 2, ann 3. It fits into `maxLength`. */
export function numberedName(username: string, number: number, maxLength: number): string {
  if (number === 1) return username
  const suffix = ` ${number}`
  const start = username.slice(0, maxLength - suffix.length)
  // The cut may have divided a character of two code units.
  return start.replace(/[\uD800-\uDBFF]$/, '').trimEnd() + suffix
}

/** The scripts whose letters UTS 39 (moderately restrictive) admits beside Latin ones. */
const besideLatin =
  'Latn Arab Armn Beng Bopo Deva Ethi Geor Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt'
const isOutside = (scripts: string): RegExp => {
  const classes = `${scripts} Zyyy Zinh`.split(' ').map((script) => `\\p{scx=${script}}`)
  // Two letters of Egyptian are blanks.
  return new RegExp(`(?=\\p{L})[^${classes.join('')}\u{13441}\u{13442}]`, 'u')
}
const mixtures = [
  { has: /\p{Script=Latn}/u, others: isOutside(besideLatin) },
  { has: /\p{Script=Cyrl}/u, others: isOutside('Cyrl') },
  { has: /\p{Script=Grek}/u, others: isOutside('Grek') },
]

/** Whether a word mixes letters of alphabets that look alike, such as a Latin name with a Cyrillic letter in it. */
export function mixesAlphabets(text: string): boolean {
  const words = text.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? []
  return words.some((word) => mixtures.some(({ has, others }) => has.test(word) && others.test(word)))
}
