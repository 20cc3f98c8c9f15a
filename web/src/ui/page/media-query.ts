import { useSyncExternalStore } from 'react'

export const reducedMotion = '(prefers-reduced-motion: reduce)'

/** Subscribes to whether a media query matches. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => window.matchMedia(query).matches,
  )
}

/** Returns smooth scrolling, or instant if the user prefers reduced motion. */
export function scrollBehaviour(): ScrollBehavior {
  return window.matchMedia(reducedMotion).matches ? 'instant' : 'smooth'
}
