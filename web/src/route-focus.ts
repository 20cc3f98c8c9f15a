import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Where every screen begins. */
export const contentId = 'content'

/** Another screen takes the focus, so that keys and screen readers go on from its start. */
export function useRouteFocus(): void {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    document.getElementById(contentId)?.focus({ preventScroll: true })
  }, [pathname])
}
