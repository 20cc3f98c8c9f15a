import { type FocusEvent, type RefObject, useCallback, useEffect, useRef } from 'react'

/**
 * Keeps the focus in a list when the item goes away that has it, itself or in its menu: the menu of the item in its place
 * gets it, else the list; where that is gone, too, the first button of its card. Returns the props of each item.
 */
export function useListFocus(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const focusedId = useRef<string | null>(null)
  const idsBefore = useRef(ids)
  useEffect(() => {
    const place = idsBefore.current.indexOf(focusedId.current ?? '')
    idsBefore.current = ids
    if (focusedId.current === null || ids.includes(focusedId.current)) return
    focusedId.current = null
    if (!isFocusLost(list.current)) return
    const item = list.current?.querySelector(`[data-index="${Math.min(place, ids.length - 1)}"]`)
    const button = item?.querySelector<HTMLElement>('[aria-haspopup]')
    ;(button ?? list.current)?.focus({ preventScroll: true })
  }, [list, ids])
  useEffect(() => {
    const card = list.current?.closest('section')
    return () => {
      if (focusedId.current !== null && isFocusLost(null)) card?.querySelector('button')?.focus()
    }
  }, [list])
  return useCallback(
    (id: string, index: number) => ({
      'data-index': index,
      // A menu is outside of the item, but React's events of it pass through the item.
      onFocus: () => void (focusedId.current = id),
      // The focus of a window that is left comes back with it.
      onBlur({ target }: FocusEvent) {
        if (document.activeElement !== target) focusedId.current = null
      },
    }),
    [],
  )
}

/** React tells of no blur where a virtual list takes the focused row away: the focus may be elsewhere by now. */
function isFocusLost(list: HTMLElement | null): boolean {
  const { activeElement } = document
  return activeElement === document.body || !!list?.contains(activeElement)
}

export type ListFocus = ReturnType<typeof useListFocus>
