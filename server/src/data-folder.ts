import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder with its parents, readable by its owner only, unless it exists. Node's own recursive `mkdir` never
 * ends where a file system, such as /proc, refuses new folders with "no such file".
 * @throws Error with a message for the operator that begins with `label`, where it cannot be made or written
 */
export async function makeDataFolder(folder: string, label = 'DATA_DIR'): Promise<void> {
  try {
    await makeWithParents(folder)
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${label}: the folder ${folder} cannot be used: ${reason}`, { cause: error })
  }
}

async function makeWithParents(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null)
  if (found?.isDirectory()) return
  const parent = dirname(folder)
  if (found === null && parent !== folder) await makeWithParents(parent)
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another process may have made it meanwhile.
    if (!(await stat(folder).catch(() => null))?.isDirectory()) throw error
  })
}
