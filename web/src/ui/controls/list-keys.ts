const focusable = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]'

/**
 * A `ref` for a list: the up and down keys move the focus to the same control of the previous or next item, Home and
 * End to that of the first or last. Items are the list's children, or what has the role of one in them.
 */
export function withArrowKeys(list: HTMLElement | null): (() => void) | undefined {
  if (!list) return undefined
  const move = (event: KeyboardEvent) => moveFocus(list, event)
  list.addEventListener('keydown', move)
  return () => list.removeEventListener('keydown', move)
}

function moveFocus(list: HTMLElement, event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return
  const focused = event.target
  const grouped = list.querySelectorAll('[role="listitem"]')
  const items = Array.from(grouped.length > 0 ? grouped : list.children)
  const from = items.findIndex((item) => item.contains(focused))
  const to = findTarget(event.key, from, items.length)
  const source = items[from]
  const target = to === null ? undefined : items[to]
  if (!source || !target) return
  const place = Array.from(source.querySelectorAll(focusable)).indexOf(focused)
  const controls = target.querySelectorAll<HTMLElement>(focusable)
  const control = controls[Math.min(Math.max(place, 0), controls.length - 1)]
  if (!control) return
  event.preventDefault()
  control.focus()
}

function findTarget(key: string, from: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(from + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(from - 1, 0)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return null
}
