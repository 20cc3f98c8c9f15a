import { useLayoutEffect } from 'react'

type RootMark = 'room' | 'roomBar' | 'videoStage' | 'fillsScreen' | 'dialog'

/**
 * Sets an attribute of the document's root while the component is mounted, such as `data-room`, for styles of the whole
 * page. With `:has()` on the root the browser computes all styles anew whenever an element is added (decision 055). One
 * component at a time sets a mark; where another takes over, React removes the one before it sets the other.
 */
export function useRootMark(mark: RootMark, isSet = true): void {
  useLayoutEffect(() => {
    if (!isSet) return
    const { dataset } = document.documentElement
    dataset[mark] = ''
    return () => void delete dataset[mark]
  }, [mark, isSet])
}
