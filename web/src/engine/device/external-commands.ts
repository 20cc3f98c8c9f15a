/** `detail`: { command, position }, the position in ms and only needed for a seek. */
export const playerCommandEvent = 'earshot:player-command'
/** `detail`: { command, playing, position }; `playing` says whether it sounds after a seek. */
export const playbackCommandEvent = 'earshot:playback-command'

/** A command to this page's own player. A null field leaves that part as it is. */
export interface ExternalCommand {
  isPlaying: boolean | null
  positionMs: number | null
}

/**
 * Receives commands to this page's own player from outside the app, such as a script or an extension, as events of
 * `window` (4.19e). The room is not affected. Malformed ones are ignored with a warning. Returns a function that stops
 * it.
 */
export function listenToExternalCommands(onCommand: (command: ExternalCommand) => void): () => void {
  const listener = (event: Event): void => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : null
    const command = parseCommand(detail)
    if (command) onCommand(command)
    // oxlint-disable-next-line no-console -- for the developer of the sending script; the listener needs no notice
    else console.warn(`Ignored an unknown ${event.type}`, detail)
  }
  const names = [playerCommandEvent, playbackCommandEvent]
  for (const name of names) window.addEventListener(name, listener)
  return () => {
    for (const name of names) window.removeEventListener(name, listener)
  }
}

function parseCommand(detail: unknown): ExternalCommand | null {
  if (typeof detail !== 'object' || detail === null) return null
  const { command, position, playing }: { command?: unknown; position?: unknown; playing?: unknown } = detail
  const positionMs = typeof position === 'number' && position >= 0 ? position : null
  if (command === 'play') return { isPlaying: true, positionMs }
  if (command === 'pause') return { isPlaying: false, positionMs }
  if (command !== 'seek' || positionMs === null) return null
  return { isPlaying: typeof playing === 'boolean' ? playing : null, positionMs }
}
