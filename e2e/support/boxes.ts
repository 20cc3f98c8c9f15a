import type { Locator } from '@playwright/test'

/** The boxes of those elements that are drawn. */
export const boxesOf = (elements: Locator) =>
  elements.evaluateAll((each) =>
    each
      .map((element) => element.getBoundingClientRect())
      .filter(({ width, height }) => width > 1 && height > 1)
      .map(({ left, top, right, bottom, width, height }) => ({ left, top, right, bottom, width, height })),
  )

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

export const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
