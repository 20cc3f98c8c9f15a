import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a temporary folder, removed when the running test finishes. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a file, creating its parent folders. */
export async function writeIn(folder: string, path: string, content: Uint8Array | string): Promise<void> {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, content)
}
