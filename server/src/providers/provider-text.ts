const maxLength = 500

/** Controls, and marks that turn the direction of what follows on the page. PostgreSQL stores no NUL. */
const unwanted = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

/** Returns a provider's text as it is stored and shown: without control characters, at most 500 characters long. */
export function cleanText(text: string): string {
  return text.replace(unwanted, ' ').trim().slice(0, maxLength).toWellFormed()
}
