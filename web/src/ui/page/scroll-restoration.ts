import { useEffect, useLayoutEffect, useRef } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'
import { readStoredJson, writeStoredJson } from '../../storage.ts'

const storageKey = 'scroll:v1'
const positions = new Map(readStoredJson<[string, number][]>('tab', storageKey))

/**
 * Scrolls to the top of a new page, and to where it was on the way back and after a reload. History entries of one page do
 * not scroll it.
 */
export function useScrollRestoration(): void {
  const location = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const key = keyOf(location)
  const shownPath = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (shownPath.current === location.pathname) positions.set(key, window.scrollY)
    else window.scrollTo(0, isReturn ? (positions.get(key) ?? 0) : 0)
    shownPath.current = location.pathname
    // Read as it changes: on leaving, the next page is already drawn.
    const remember = () => positions.set(key, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [key, isReturn, location.pathname])
  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    window.addEventListener('pagehide', storePositions)
    return () => window.removeEventListener('pagehide', storePositions)
  }, [])
}

/** The history entry, or the path on the first page of a visit, which has no entry of its own. */
const keyOf = ({ key, pathname }: Location): string => (key === 'default' ? pathname : key)

function storePositions(): void {
  writeStoredJson('tab', storageKey, [...positions])
}
