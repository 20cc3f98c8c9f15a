/** Returns the code that Node, the system or PostgreSQL gave an error, such as 'ENOENT'; null where it has none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
