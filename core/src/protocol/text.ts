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

/** The marks that change the direction of text. In a name they would reorder what follows it. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Returns a name as others see it: composed and well-formed, without marks of direction and spaces around it. */
export function cleanName(name: string): string {
  return name.replace(directionMarks, '').trim().toWellFormed().normalize('NFC')
}
