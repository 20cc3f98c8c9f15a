/** How texts are judged, on the page and on the server. */

/**
 * Whether a text shows anything. Characters that are ignored in display (zero-width, bidirectional, fillers), spaces,
 * control and format characters, marks without a letter, and characters that are blank by definition do not count.
 */
export function isVisible(text: string): boolean {
  return /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\p{Cn}\p{M}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}]/u.test(
    text,
  )
}

/** Counts the characters of a text as the limits do: in code points, so that an emoji of one code point counts once. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _character of text) count += 1
  return count
}

/** Control characters, and the marks that change the direction of text: in a name they would reorder what follows it. */
const hiddenMarks = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/**
 * Returns a name as others see it: composed and well-formed, in one line, without control characters, marks of direction and
 * spaces around it.
 */
export function cleanName(name: string): string {
  const line = name.replace(/[\t-\r\u2028\u2029]+/g, ' ')
  return line.replace(hiddenMarks, '').trim().toWellFormed().normalize('NFC')
}
