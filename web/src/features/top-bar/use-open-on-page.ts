import { useState } from 'react'
import { useLocation } from 'react-router'

/** Keeps whether a menu of the bar is open. Navigation closes it, also one whose code is on its way. */
export function useOpenOnPage(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const { pathname } = useLocation()
  const [openAtPath, setOpenAtPath] = useState<string | null>(null)
  // Else it would be open again where the page returns to.
  if (openAtPath !== null && openAtPath !== pathname) setOpenAtPath(null)
  return [openAtPath === pathname, (isOpen) => setOpenAtPath(isOpen ? pathname : null)]
}
