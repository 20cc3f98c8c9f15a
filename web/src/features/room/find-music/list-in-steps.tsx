import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { withArrowKeys } from '../../../ui/controls/list-keys.ts'

/** A thousand rows at once would delay every click. */
const rowsPerStep = 100

interface ListInStepsProps<Item> {
  label: string
  className: string
  items: readonly Item[]
  /** Draws the row of an item: an `li` with a key. */
  renderRow: (item: Item, index: number) => ReactNode
  /** Returns the label of the button for so many more rows. */
  showMore: (count: number) => string
}

/** Lists the first 100 rows, and 100 more with each press on a button below them. */
export function ListInSteps<Item>({ label, className, items, renderRow, showMore }: ListInStepsProps<Item>) {
  const [shownCount, setShownCount] = useState(rowsPerStep)
  const hiddenCount = Math.max(0, items.length - shownCount)
  return (
    <ul aria-label={label} ref={withArrowKeys} className={className}>
      {items.slice(0, shownCount).map(renderRow)}
      {hiddenCount > 0 && (
        <li className="pt-2 pb-1 text-center">
          <Button size="sm" onClick={() => setShownCount((count) => count + rowsPerStep)}>
            {showMore(Math.min(hiddenCount, rowsPerStep))}
          </Button>
        </li>
      )}
    </ul>
  )
}
