import { useEffect, useRef, useState, type RefObject } from 'react'

/** Which item of a list has its popover open; closes it, and keeps the focus in the list, when that item goes away. */
export function useOpenItem(list: RefObject<HTMLElement | null>) {
  const [openId, setOpenId] = useState<string | null>(null)
  return (id: string) => ({
    isOpen: openId === id,
    onOpenChange: (isOpen: boolean) => setOpenId(isOpen ? id : null),
    onGone() {
      setOpenId(null)
      list.current?.focus()
    },
  })
}

export type OpenState = ReturnType<ReturnType<typeof useOpenItem>>

/** Reports that the component went away while its popover was open. */
export function useGoneWhileOpen({ isOpen, onGone }: Pick<OpenState, 'isOpen' | 'onGone'>): void {
  const latest = useRef({ isOpen, onGone })
  useEffect(() => {
    latest.current = { isOpen, onGone }
  })
  useEffect(
    () => () => {
      if (latest.current.isOpen) latest.current.onGone()
    },
    [],
  )
}
