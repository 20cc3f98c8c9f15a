/** Joins class names; skips false and missing ones. */
export function joinClasses(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

const tints = ['bg-tint-1', 'bg-tint-2', 'bg-tint-3', 'bg-tint-4', 'bg-tint-5', 'bg-tint-6'] as const

/** Picks a background colour; the same text always gets the same one. */
export function pickTint(text: string): (typeof tints)[number] {
  let sum = 0
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return tints[sum % tints.length] ?? tints[0]
}
