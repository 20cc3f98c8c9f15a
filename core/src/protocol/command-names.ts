/** 3.13. In a file of its own, for those who get by without schemas. */
export const commandNames = ['play', 'pause', 'seek', 'next', 'previous'] as const

export const isCommandName = (name: string): boolean => commandNames.some((known) => known === name)
