/** The file has no audio track that this browser can decode. */
export class UndecodableError extends Error {}
