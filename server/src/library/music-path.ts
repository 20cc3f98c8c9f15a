import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

/**
 * The real path of something in the music folder, and the real folder. Null where there is nothing at that path,
 * or where a link on the way leads out of the folder.
 */
export async function resolveMusicPath(
  musicDir: string,
  path: string,
): Promise<{ root: string; path: string } | null> {
  try {
    const root = await realpath(musicDir)
    const inside = relative(root, await realpath(join(root, path)))
    const leadsOut = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
    return leadsOut ? null : { root, path: inside.replaceAll(sep, '/') }
  } catch {
    return null
  }
}

/** 'ENOENT' and its like, or the message of an error that has no code. */
export function fileErrorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.message : String(error)
}
