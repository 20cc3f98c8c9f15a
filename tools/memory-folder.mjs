// A folder for the temporary files of tests.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memoryDisk = '/dev/shm'
/** Many times what the tests of a step use at once. Containers often have 64 MB. */
const neededBytes = 2 * 1024 ** 3

/**
 * Makes a folder in memory, where commits of databases wait for no disk, and removes it when this process exits. Returns
 * null where there is none, or too little memory.
 */
export function makeMemoryFolder() {
  try {
    const { bavail, bsize } = statfsSync(memoryDisk)
    if (bavail * bsize < neededBytes || process.availableMemory() < 2 * neededBytes) return null
    const folder = mkdtempSync(join(memoryDisk, 'earshot-test-'))
    // As /tmp: some tests run as another user.
    chmodSync(folder, 0o1777)
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    return null
  }
}
