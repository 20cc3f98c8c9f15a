import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { errorCode } from '../../error-code.ts'
import { parseJson } from '../../parse-json.ts'

/** Written last: a backup without it is not complete. */
const manifestName = 'earshot-backup.json'

/** The names of the parts in a backup's folder. */
export const backupNames = {
  sqlite: 'earshot.sqlite',
  postgres: 'earshot.pgdump',
  secret: 'secret',
  covers: 'covers',
}

const manifestSchema = z.object({
  format: z.literal(1),
  /** The version of Earshot that made the backup. */
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  madeAt: z.iso.datetime(),
  /** The migrations of the database, in order. */
  migrations: z.array(z.string()),
  /** SHA-256 by path, relative to the backup's folder. */
  files: z.record(z.string(), z.string()),
})
export type BackupManifest = z.infer<typeof manifestSchema>

/** Writes the manifest with the checksums of all files in the folder. */
export async function writeManifest(
  folder: string,
  facts: Omit<BackupManifest, 'format' | 'files'>,
): Promise<BackupManifest> {
  const manifest: BackupManifest = { format: 1, ...facts, files: await hashFiles(folder) }
  await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, {
    flag: 'wx',
    mode: 0o600,
  })
  return manifest
}

/** Reads the manifest of a backup. @throws Error if the folder holds no complete backup, a changed one, or cannot be read */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw new Error(`The backup cannot be read: ${String(error)}`, { cause: error })
  })
  const parsed = text === null ? null : manifestSchema.safeParse(parseJson(text))
  if (!parsed?.success)
    throw new Error(`${folder} holds no complete backup of Earshot (no valid ${manifestName})`)
  const actual = await hashFiles(folder)
  const damaged = Object.entries(parsed.data.files).find(([path, hash]) => actual[path] !== hash)
  if (damaged)
    throw new Error(`The backup is damaged: ${damaged[0]} is missing or has changed. Use another backup`)
  return parsed.data
}

async function hashFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const hashes: Record<string, string> = {}
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll('\\', '/')
    if (entry.isFile() && name !== manifestName) hashes[name] = await hashFile(path)
  }
  return hashes
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
