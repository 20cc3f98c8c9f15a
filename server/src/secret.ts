import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newToken } from './crypto/tokens.ts'
import { errorCode } from './error-code.ts'

const secretBytes = 48
const shortestSecret = 32

/**
 * Loads the server's secret: the configured one, or one generated once and stored in the data folder, readable by the
 * owner only. Processes that start at the same time agree on it. Rejects if the folder cannot be used.
 */
export async function loadSecret(configured: string | null, dataDir: string): Promise<string> {
  if (configured !== null) return configured
  const path = join(dataDir, 'secret')
  const secret = await readOrCreate(path, dataDir)
  if (secret.length < shortestSecret) {
    throw new Error(`SECRET: ${path} is damaged. Remove it, and people sign in again, or set SECRET`)
  }
  return secret
}

async function readOrCreate(path: string, dataDir: string): Promise<string> {
  try {
    return (await readSecret(path)) ?? (await createSecret(path, dataDir))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`DATA_DIR: the secret cannot be kept in ${dataDir}: ${reason}`, { cause: error })
  }
}

async function readSecret(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Writes a temporary file and links it into place: atomic, and only the first process succeeds. */
async function createSecret(path: string, dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const aside = `${path}.${randomBytes(8).toString('hex')}`
  const secret = newToken(secretBytes)
  try {
    await writeFile(aside, `${secret}\n`, { flag: 'wx', mode: 0o600 })
    await link(aside, path)
    return secret
  } catch (error) {
    const other = errorCode(error) === 'EEXIST' ? await readSecret(path) : null
    if (other === null) throw error
    return other
  } finally {
    await rm(aside, { force: true })
  }
}
