/** How texts are judged, on the page and on the server. */

/**
 * Whether a text shows anything. Characters that are ignored in display (zero-width, bidirectional, fillers), spaces,
 * control characters and the blank braille pattern do not count.
 */
export function isVisible(text: string): boolean {
  return /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cn}\u2800]/u.test(text)
}

/** Counts the characters of a text as the limits do: in code points, so that an emoji of one code point counts once. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _character of text) count += 1
  return count
}
