/** A variable of the environment that is no setting, and the setting that was probably meant. */
export interface Misspelt {
  name: string
  meant: string
}

const maxEdits = 2

/** Finds names within two edits of a known one; of a short one, which resembles others by chance, within one. */
export function findMisspelt(names: readonly string[], known: readonly string[]): Misspelt[] {
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((each) => {
        const most = Math.min(maxEdits, Math.floor(each.length / 4))
        return Math.abs(each.length - name.length) <= most && countEdits(name, each) <= most
      })
      return meant === undefined ? [] : [{ name, meant }]
    })
}

/** Counts the letters to insert, delete or replace (Levenshtein distance). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of Array.from(from).entries()) {
    const next = [line + 1]
    for (const [column, other] of Array.from(to).entries()) {
      const [diagonal = 0, above = 0] = [row[column], row[column + 1]]
      next.push(Math.min(diagonal + (letter === other ? 0 : 1), above + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
