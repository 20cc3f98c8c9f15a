import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** So near the end, new messages are followed. */
const endPx = 48

interface ChatScrollOptions {
  /** Changes whenever the items do. */
  items: unknown
  /** Called while the list is near its top: more is to be shown there. */
  onNearTop: () => void
  /** Called whenever the viewer sees the end. */
  onSeen: () => void
  /** Called when the viewer leaves the end or returns to it. */
  onEnd: (isAtEnd: boolean) => void
}

interface ChatScroll {
  scroller: RefObject<HTMLDivElement | null>
  list: RefObject<HTMLOListElement | null>
  isAtEnd: boolean
  onScroll: () => void
  /** Scrolls to the end, and follows it from now on. */
  showLatest: () => void
}

/** Where the viewer reads: the item in the middle, and how far below the top of the list it begins, in px. */
interface Anchor {
  item: Element
  offsetPx: number
}

/**
 * Keeps the viewer's place in the chat: at the end it follows new messages, further up the item that is read stays where
 * it is, whatever is added above, below or resized.
 */
export function useChatScroll({ items, onNearTop, onSeen, onEnd }: ChatScrollOptions): ChatScroll {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const place = useRef<{ isAtEnd: boolean; anchor: Anchor | null }>({ isAtEnd: true, anchor: null })
  const [isAtEnd, setAtEnd] = useState(true)

  const noteSeen = () => {
    const view = scroller.current
    if (!view || view.clientHeight === 0 || !place.current.isAtEnd) return
    if (document.visibilityState === 'visible' && isEndOnScreen(view)) onSeen()
  }
  const notePlace = () => {
    const view = scroller.current
    // A list that is not shown has no place.
    if (!view || !list.current || view.clientHeight === 0) return
    const isNowAtEnd = view.scrollHeight - view.scrollTop - view.clientHeight < endPx
    place.current = { isAtEnd: isNowAtEnd, anchor: findAnchor(view, list.current) }
    if (isNowAtEnd !== isAtEnd) {
      setAtEnd(isNowAtEnd)
      onEnd(isNowAtEnd)
    }
    noteSeen()
    if (view.scrollTop < view.clientHeight) onNearTop()
  }
  const keepPlace = useEffectEvent(() => {
    const view = scroller.current
    if (!view || view.clientHeight === 0) return
    const { isAtEnd: wasAtEnd, anchor } = place.current
    if (wasAtEnd) view.scrollTop = view.scrollHeight
    else if (anchor?.item.isConnected) {
      const movedPx = offsetIn(view, anchor.item) - offsetToKeep(view, anchor)
      if (Math.abs(movedPx) >= 1) view.scrollTop += movedPx
    }
    notePlace()
  })
  // Not the place: the page also scrolls as a phone is turned, before the list is laid out anew.
  const noteVisible = useEffectEvent(noteSeen)

  useLayoutEffect(() => keepPlace(), [items])
  useEffect(() => {
    const observer = new ResizeObserver(() => keepPlace())
    if (scroller.current) observer.observe(scroller.current)
    if (list.current) observer.observe(list.current)
    const onVisible = () => noteVisible()
    document.addEventListener('visibilitychange', onVisible)
    document.addEventListener('scroll', onVisible, { passive: true })
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', onVisible)
      document.removeEventListener('scroll', onVisible)
    }
  }, [])

  const showLatest = () => {
    place.current = { isAtEnd: true, anchor: null }
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
    notePlace()
  }
  return { scroller, list, isAtEnd, onScroll: notePlace, showLatest }
}

/** Whether the end of the list is on the screen: a phone scrolls the page, under bars for which the room leaves space. */
function isEndOnScreen(view: Element): boolean {
  const room = view.closest('.room-grid')
  const barsPx = room ? Number.parseFloat(getComputedStyle(room).paddingBottom) : 0
  return view.getBoundingClientRect().bottom <= window.innerHeight - barsPx
}

/** In a list that became lower, as on a phone that is turned, the item would be out of sight where it was. */
function offsetToKeep({ clientHeight }: Element, { item, offsetPx }: Anchor): number {
  if (offsetPx < 0.75 * clientHeight) return offsetPx
  return Math.max(0, Math.min(clientHeight / 2, clientHeight - item.getBoundingClientRect().height))
}

const offsetIn = (view: Element, item: Element): number =>
  item.getBoundingClientRect().top - view.getBoundingClientRect().top

/** Finds the item in the middle by halving: the items are in order. Lines between days move as older items come. */
function findAnchor(view: Element, list: Element): Anchor | null {
  const { children } = list
  const { top, height } = view.getBoundingClientRect()
  const middle = top + height / 2
  let low = 0
  let high = children.length - 1
  while (low < high) {
    const index = (low + high) >> 1
    if ((children[index]?.getBoundingClientRect().bottom ?? 0) > middle) high = index
    else low = index + 1
  }
  const item = children[low]?.hasAttribute('data-day') ? children[low + 1] : children[low]
  return item ? { item, offsetPx: offsetIn(view, item) } : null
}
