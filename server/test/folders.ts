import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, onTestFinished } from 'vitest'

/** Creates a temporary folder, removed when the running test finishes. */
export async function makeFolder(): Promise<string> {
  const folder = await makeLastingFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** Creates a temporary folder for several tests, which `removeFolder` removes after them. */
export async function makeLastingFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'earshot-test-'))
}

/** Creates one for all tests of a suite; call it where the suite is described. `path` is there from the first test on. */
export function shareFolder(): { path: string } {
  const folder = { path: '' }
  beforeAll(async () => {
    folder.path = await makeLastingFolder()
    return () => removeFolder(folder.path)
  })
  return folder
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Writes a file, creating its parent folders. */
export async function writeIn(folder: string, path: string, content: Uint8Array | string): Promise<void> {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, content)
}

/** Permissions do not apply to root, which a container may run the tests as. */
export async function asOrdinaryUser<T>(run: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return run()
  process.seteuid?.(65_534)
  try {
    return await run()
  } finally {
    process.seteuid?.(0)
  }
}
