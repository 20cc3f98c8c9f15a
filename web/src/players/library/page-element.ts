import { delay } from '../../timing.ts'
import type { AudioOutput } from './output/audio-output.ts'

/** An attempt to play that takes longer waits for the end of a call. */
const attemptMs = 500

/** An element that fetches nothing for this long goes on only once it plays, as on iPhones. */
const idleAfterMs = 1_000

/** The node of the page's audio element, which can have no second one. */
let source: MediaElementAudioSourceNode | undefined

/** Routes the sound of the page's element to an output, and no longer to another. */
export function routeElement(element: HTMLAudioElement, { context, input }: AudioOutput): void {
  source?.disconnect()
  // A new context comes with a new element.
  if (source?.mediaElement !== element) source = context.createMediaElementSource(element)
  source.connect(input)
}

/**
 * Returns whether an element that the system paused could play on at once, which it plays unheard to find out: after
 * headphones were pulled out, not during a call. Only WebKit needs the attempt, which elsewhere takes the sound from
 * another app.
 */
export async function couldPlayOn(element: HTMLAudioElement, output: AudioOutput): Promise<boolean> {
  if (!('audioSession' in navigator)) return true
  source?.disconnect()
  const attempt = element.play().then(
    () => true,
    () => false,
  )
  const couldPlay = await Promise.race([attempt, delay(attemptMs).then(() => false)])
  if (couldPlay) element.pause()
  routeElement(element, output)
  return couldPlay
}

/** Calls back when an element can play, or fetches nothing more before it plays and so never says that it can. */
export function onLoaded(element: HTMLAudioElement, run: () => void, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const check = () => {
    const { paused, readyState, networkState } = element
    if (paused && (readyState > 0 || networkState === HTMLMediaElement.NETWORK_IDLE)) run()
  }
  const waitOn = () => {
    clearTimeout(timer)
    timer = setTimeout(check, idleAfterMs)
  }
  element.addEventListener('canplay', run, { signal })
  for (const name of ['loadedmetadata', 'progress', 'suspend'])
    element.addEventListener(name, waitOn, { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/**
 * Calls back when the browser keeps the page in memory, or freezes it: it pauses elements then, and the page may come
 * back.
 */
export function onPageLeft(run: () => void, signal: AbortSignal): void {
  window.addEventListener('pagehide', run, { signal })
  document.addEventListener('freeze', run, { signal })
}

/** Stops an element and what it fetches. */
export function unload(element: HTMLAudioElement): void {
  element.pause()
  element.removeAttribute('src')
  element.load()
}
