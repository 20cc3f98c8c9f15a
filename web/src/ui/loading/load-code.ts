import { type ComponentType, lazy } from 'react'
import { delay } from '../../timing.ts'

/** Pauses before the second and the third attempt. */
const retryAfterMs = [1_000, 3_000]

/** The code of a part of the page could not be loaded: the connection failed, or the server has another version. */
export class CodeLoadError extends Error {}

/**
 * Loads the code of a part of the page. Tries again where that fails, since a connection may drop for a moment (12.8).
 * Throws CodeLoadError after three attempts.
 */
export async function loadCode<Module>(importModule: () => Promise<Module>): Promise<Module> {
  for (const ms of retryAfterMs) {
    try {
      return await importModule()
    } catch {
      await delay(ms)
    }
  }
  try {
    return await importModule()
  } catch (cause) {
    throw new CodeLoadError('Could not load a part of the page', { cause })
  }
}

/** A component whose code is loaded by `load` when it is first drawn, or ahead of that. */
export function lazyCode<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | null = null
  const loadOnce = async () => (loaded ??= await load())
  const create = () => lazy(async () => ({ default: await loadOnce() }))
  let latest = create()
  return {
    loadOnce,
    // Not by `lazy` where it is there: React shows nothing for 300 ms after it has waited.
    current: (): ComponentType<Props> => loaded ?? latest,
    /** Makes another attempt possible: `lazy` keeps a failure for ever. */
    renew: () => void (latest = create()),
  }
}
