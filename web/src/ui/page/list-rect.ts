import { limits } from '@earshot/core/limits'
import { observeElementRect } from '@tanstack/react-virtual'

/** Reports the size of a list that draws its rows in sight only. The first paint happens before anything is measured. */
export const observeListRect: typeof observeElementRect = (instance, report) =>
  observeElementRect(instance, ({ width, height }) =>
    report({ width, height: Math.max(height, limits.queueListHeightPx) }),
  )
