/** Constants of the contract that a page can import without loading the zod schemas. */

/** The version that a client sends (7.24). */
export const clientVersion = '2.0.0'

/** The direct commands (3.13). */
export const commandNames = ['play', 'pause', 'seek', 'next', 'previous'] as const
