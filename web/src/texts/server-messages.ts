/** The messages of the server and of refused input, which are English on the wire. */

/** Returns a message as it is sent. A translation returns null for one that it does not know. */
export const serverMessage = (message: string, _code?: string | null): string | null => message
