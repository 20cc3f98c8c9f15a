/** Why a provider's music cannot be found or played: messages of the server, which are English on the wire. */

/** Returns a message as it is sent. A translation returns null for one that it does not know. */
export const providerMessage = (message: string): string | null => message
