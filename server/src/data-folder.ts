import { access, constants, lchown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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

/** As root, gives files and folders of the data folder to its owner: the server runs as that user, and reads them. */
export async function giveToOwner(dataDir: string, names: string[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dataDir)
  for (const path of names.map((name) => join(dataDir, name))) {
    const inside = await readdir(path, { recursive: true }).catch(() => [])
    for (const each of [path, ...inside.map((name) => join(path, name))]) await lchown(each, uid, gid)
  }
}
