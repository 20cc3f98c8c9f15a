/**
 * The names under which PostgreSQL keeps statements parsed and planned, by their text. Only of statements that run
 * with every command and return no rows: one that does fails where a newer version adds a column meanwhile.
 */
const names = new Map<string, string>()

export function nameStatement(text: string): void {
  if (!names.has(text)) names.set(text, `earshot_${names.size + 1}`)
}

/** Returns null for a statement that is to be parsed each time. */
export function statementNameOf(text: string): string | null {
  return names.get(text) ?? null
}
