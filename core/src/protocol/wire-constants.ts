/** Constants of the contract that a page can import without loading the zod schemas. */

/** The version that a client sends (7.24). */
export const clientVersion = '2.0.0'

/** The direct commands (3.13). */
export const commandNames = ['play', 'pause', 'seek', 'next', 'previous'] as const

/** The reactions that members can send, in the order of their keys 1 to 6. */
export const reactionKinds = ['love', 'fire', 'party', 'laugh', 'wow', 'thumbs_up'] as const
export type ReactionKind = (typeof reactionKinds)[number]
