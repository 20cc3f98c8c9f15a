import type { Env } from '../env/env.ts'
import type { CommandContext } from './command.ts'

/** Returns the address for links; without PUBLIC_URL, the one on this machine. */
export function publicUrlOf({ publicUrl, port }: Pick<Env, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://127.0.0.1:${port}`
}

/** Prints a hint where links work on this machine only. */
export function hintAddress({ env, print }: Pick<CommandContext, 'env' | 'print'>): void {
  if (env.publicUrl === null) print('Set PUBLIC_URL for links that work on other machines.')
}

/** Returns a time in ms as UTC to the minute, such as `2026-03-01T12:30Z`. */
export function formatTime(atMs: number): string {
  return new Date(atMs).toISOString().replace(/:\d\d\.\d+Z$/, 'Z')
}
