import { cleanName } from '@earshot/core/protocol/text'
import { foldText } from '../library/search-text.ts'

/** Returns the columns of a room's name, without marks that would turn what follows it in lists and link previews. */
export function toNameColumns(given: string): { name: string; search_text: string } {
  const name = cleanName(given)
  return { name, search_text: foldText(name) }
}
