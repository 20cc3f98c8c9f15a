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
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
  try {
    return await importModule()
  } catch (cause) {
    throw new CodeLoadError('Could not load a part of the page', { cause })
  }
}
