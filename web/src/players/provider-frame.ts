/** The documents in which the scripts of the providers run, served by the server with a policy of their own. */
export type ProviderFramePath = '/players/youtube' | '/players/spotify'

export interface ProviderFrame<Globals> {
  element: HTMLIFrameElement
  /**
   * Resolves with the frame's window once the provider's script is ready in it, and rejects if the script cannot be
   * loaded. May never settle: the caller limits the time.
   */
  ready: Promise<Window & Globals>
  /** Removes the frame and with it everything that runs in it. */
  close(): void
}

/**
 * Opens the document of a provider's player inside `host`, which stays where it is: a frame that moves in the document
 * loads again.
 * @param Globals the globals that the provider's script defines
 */
export function openProviderFrame<Globals>(
  host: HTMLElement,
  path: ProviderFramePath,
  title: string,
): ProviderFrame<Globals> {
  const element = document.createElement('iframe')
  element.src = path
  element.title = title
  element.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture'
  const ready = new Promise<Window & Globals>((resolve, reject) => {
    element.addEventListener('load', () => {
      const frameWindow = element.contentWindow as
        | (Window & Globals & { providerReady?: Promise<void> })
        | null
      // Without the promise it is another page, for example of a proxy that has no server behind it.
      if (!frameWindow?.providerReady) return reject(new Error('The document of the player is missing'))
      frameWindow.providerReady.then(() => resolve(frameWindow), reject)
    })
  })
  // The frame may be closed before anybody waits.
  ready.catch(() => undefined)
  host.append(element)
  return { element, ready, close: () => element.remove() }
}

const warmed = new Map<ProviderFramePath, Promise<void>>()

/** Puts a provider's document and script in the browser's cache, once. Rejects if the script cannot be loaded. */
export function warmProviderFrame(path: ProviderFramePath): Promise<void> {
  const known = warmed.get(path)
  if (known) return known
  const warming = warm(path)
  warmed.set(path, warming)
  return warming
}

async function warm(path: ProviderFramePath): Promise<void> {
  const frame = openProviderFrame(document.body, path, '')
  frame.element.hidden = true
  try {
    await frame.ready
  } catch (error) {
    warmed.delete(path)
    throw error
  } finally {
    frame.close()
  }
}
