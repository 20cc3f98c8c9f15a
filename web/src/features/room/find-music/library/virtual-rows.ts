import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect } from 'react'
import { observeListRect } from '../../../../ui/page/list-rect.ts'

interface VirtualRowsOptions {
  scroller: RefObject<HTMLElement | null>
  count: number
  rowHeightPx: number
  /** Where lists were scrolled to, by key: one that is opened again starts there. */
  scrolledTo: Map<string, number>
  scrollKey: string
  /** Called as the last rows come into sight. */
  onEnd: () => void
}

const rowsAhead = 6

/** Computes the rows in sight of a long list whose rows have one height. */
export function useVirtualRows(options: VirtualRowsOptions) {
  const { scroller, count, rowHeightPx, scrolledTo, scrollKey, onEnd } = options
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by the compiler
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 3,
    initialOffset: () => scrolledTo.get(scrollKey) ?? 0,
    onChange: ({ scrollOffset }) => void scrolledTo.set(scrollKey, scrollOffset ?? 0),
    observeElementRect: observeListRect,
  })
  const rows = virtualizer.getVirtualItems()
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= count - rowsAhead
  useEffect(() => {
    virtualizer.measure()
  }, [virtualizer, rowHeightPx])
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, count, onEnd])
  return { rows, totalPx: virtualizer.getTotalSize() }
}
