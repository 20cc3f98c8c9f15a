import type { Env } from '../env.ts'

/** Returns the address for links; without PUBLIC_URL, the one on this machine. */
export function publicUrlOf({ publicUrl, port }: Pick<Env, 'publicUrl' | 'port'>): string {
  return publicUrl ?? `http://127.0.0.1:${port}`
}
