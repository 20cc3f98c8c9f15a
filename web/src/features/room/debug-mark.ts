/** Whether the debug tools are open in this tab: a reload, or another room, keeps them so. */

const key = 'debug-tools'

export function readDebugMark(): boolean {
  try {
    return sessionStorage.getItem(key) === 'open'
  } catch {
    return false
  }
}

export function writeDebugMark(isOpen: boolean): void {
  try {
    sessionStorage.setItem(key, isOpen ? 'open' : 'closed')
  } catch {
    // Storage is forbidden: they are closed again next time.
  }
}
