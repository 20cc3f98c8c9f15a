import { unknownUsername } from '@earshot/core/protocol/entities'
import { nameKeysOf } from './name-keys.ts'

/** Names under which the server, or somebody who runs it, would seem to speak. */
const words = [
  'admin',
  'administrator',
  'earshot',
  'moderator',
  'operator',
  'staff',
  'support',
  'system',
  unknownUsername,
]

/** The name of an account whose email address begins with a reserved name. */
export const neutralName = 'listener'

/** The look of a name depends on its case: `I` looks like `l`, `i` does not. */
const reservedKeys = new Set(words.flatMap((word) => [word, word.toUpperCase()]).flatMap(keysOf))

/**
 * Whether a name is one of those that only administrators may have, whatever its case, signs and numbers around it, or
 * characters that look like its own. A name that only contains such a word is free.
 */
export function isReservedName(username: string): boolean {
  const withoutEnds = username.replace(/^\P{L}+|\P{L}+$/gu, '')
  return [username, withoutEnds].flatMap(keysOf).some((key) => reservedKeys.has(key))
}

/** Returns letters and digits only, without accents. `rn` looks like `m`. */
function keysOf(name: string): string[] {
  const { name_key, name_look } = nameKeysOf(name)
  return [name_key, name_look].map((key) =>
    key
      .normalize('NFD')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .replaceAll('rn', 'm'),
  )
}
