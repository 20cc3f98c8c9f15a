import { useEffect, useRef, type RefObject } from 'react'

/** Whether there is a mouse. On a phone, a focused field would open the keyboard over the page. */
export const hasMouse = (): boolean => window.matchMedia('(hover: hover) and (pointer: fine)').matches

/** Focuses a field as soon as it is there, if `isWanted` then. */
export function useFocusOnOpen(field: RefObject<HTMLElement | null>, isWanted: boolean): void {
  const wasWanted = useRef(isWanted)
  useEffect(() => {
    if (wasWanted.current) field.current?.focus({ preventScroll: true })
  }, [field])
}
