/** `detail`: { command, position }, the position in ms and only needed for a seek. */
export const playerCommandEvent = 'earshot:player-command'
/** `detail`: { command, playing, position }; `playing` says whether it sounds after a seek. */
export const playbackCommandEvent = 'earshot:playback-command'

/** What a player is told: what is null stays as it is. */
export interface PlayerOrder {
  isPlaying: boolean | null
  positionMs: number | null
}

/**
 * Hears commands to this page's own player from outside the app, such as a script or an extension, as events of `window` (4.19e).
 * The room hears nothing of them. What cannot be understood is warned about and ignored. Returns what stops it.
 */
export function listenToBrowserCommands(obey: (order: PlayerOrder) => void): () => void {
  const listener = (event: Event): void => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : null
    const order = readOrder(detail)
    if (order) obey(order)
    // oxlint-disable-next-line no-console -- whoever sent it reads the console; the listener has no use for a notice
    else console.warn(`Ignored an unknown ${event.type}`, detail)
  }
  const names = [playerCommandEvent, playbackCommandEvent]
  for (const name of names) window.addEventListener(name, listener)
  return () => {
    for (const name of names) window.removeEventListener(name, listener)
  }
}

function readOrder(detail: unknown): PlayerOrder | null {
  if (typeof detail !== 'object' || detail === null) return null
  const { command, position, playing }: { command?: unknown; position?: unknown; playing?: unknown } = detail
  const positionMs = typeof position === 'number' && position >= 0 ? position : null
  if (command === 'play') return { isPlaying: true, positionMs }
  if (command === 'pause') return { isPlaying: false, positionMs }
  if (command !== 'seek' || positionMs === null) return null
  return { isPlaying: typeof playing === 'boolean' ? playing : null, positionMs }
}
