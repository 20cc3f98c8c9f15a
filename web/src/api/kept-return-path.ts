import { dayMs } from '@earshot/core/clock'
import { readStoredJson, writeStoredJson } from '../storage.ts'
import { returnPathKey } from './sign-in.ts'

/**
 * The page to return to after a mailed link confirmed an account or reset a password. The link opens in another tab, so
 * the path is stored on the device. It is not put in the mail, because the path of an invitation admits to its room.
 */

/** The first link works for an hour, and signing in sends further ones. */
const keptForMs = dayMs

interface Kept {
  path: string
  atMs: number
}

/** Home, where everybody goes on anyway, replaces no room. */
export function keepReturnPath(path: string): void {
  if (path === '/') return
  writeStoredJson('device', returnPathKey, { path, atMs: Date.now() } satisfies Kept)
}

/** Also removes a path that was kept for too long. */
export function readReturnPath(): string | null {
  const kept = readStoredJson<Kept>('device', returnPathKey)
  if (kept && Date.now() - kept.atMs < keptForMs) return kept.path
  if (kept) forgetReturnPath()
  return null
}

export function forgetReturnPath(): void {
  writeStoredJson('device', returnPathKey, null)
}
