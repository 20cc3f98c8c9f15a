import { useLayoutEffect } from 'react'

type RootMark = 'room' | 'roomBar' | 'videoStage' | 'fillsScreen'

/** How many mounted components set each mark. */
const counts = new Map<RootMark, number>()

/**
 * Sets an attribute of the document's root while the component is mounted, such as `data-room`, for styles of the whole
 * page. With `:has()` on the root the browser computes all styles anew whenever an element is added (decision 055).
 */
export function useRootMark(mark: RootMark, isSet = true): void {
  useLayoutEffect(() => {
    if (!isSet) return
    changeCount(mark, 1)
    return () => changeCount(mark, -1)
  }, [mark, isSet])
}

function changeCount(mark: RootMark, by: number): void {
  const count = (counts.get(mark) ?? 0) + by
  counts.set(mark, count)
  const { dataset } = document.documentElement
  if (count > 0) dataset[mark] = ''
  else delete dataset[mark]
}
