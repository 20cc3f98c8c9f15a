import type { Room } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { sourcesQuery } from '../../api/queries.ts'
import { withArrowKeys } from '../../ui/controls/list-keys.ts'
import { RoomCard } from './room-card.tsx'

/** Divides by the columns of each layout, so that only the last group has an incomplete row. */
const groupSize = 24
const paddingPx = 20
/** In three columns. How long the page seems to be before a group was drawn. */
const usualPxPerCard = 100

/** Heights of groups that were drawn, in px, by their first rooms: the way back finds the page as long as it was. */
const heights = new Map<string, number>()

/** Tells whether a group of cards that begins with one of some rooms is on the screen, or about to be. */
export function areInSight(rooms: readonly Room[]): boolean {
  const ids = new Set(rooms.map(({ id }) => id))
  return [...document.querySelectorAll<HTMLElement>('[data-first-room]')].some((group) => {
    const { top, bottom } = group.getBoundingClientRect()
    return bottom > -innerHeight && top < 2 * innerHeight && ids.has(group.dataset['firstRoom'] ?? '')
  })
}

/**
 * Lists rooms as cards in a grid. The browser skips drawing groups out of sight (decision 091): they stay in the
 * document, for its search, the focus and screen readers.
 */
export function RoomCards({ rooms }: { rooms: readonly Room[] }) {
  const { data: sources } = useQuery(sourcesQuery)
  const available = useMemo(
    () => (sources ?? []).filter((status) => status.available).map((status) => status.source),
    [sources],
  )
  const parts = Array.from({ length: Math.ceil(rooms.length / groupSize) }, (_, index) =>
    rooms.slice(index * groupSize, (index + 1) * groupSize),
  )
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- items of a <ul> would have to be its children
    <div role="list" ref={withArrowKeys} className="grid gap-5">
      {parts.map((part, index) => (
        <RoomGroup key={index} firstId={part[0]?.id ?? ''} count={part.length}>
          {part.map((room) => (
            <RoomCard key={room.id} room={room} sources={available} />
          ))}
        </RoomGroup>
      ))}
    </div>
  )
}

interface RoomGroupProps {
  firstId: string
  count: number
  children: ReactNode
}

function RoomGroup({ firstId, count, children }: RoomGroupProps) {
  const group = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = group.current
    return () => void (element && heights.set(firstId, element.offsetHeight - 2 * paddingPx))
  }, [firstId])
  const heightPx = heights.get(firstId) ?? count * usualPxPerCard
  return (
    <div
      role="none"
      ref={group}
      data-first-room={firstId}
      style={{ containIntrinsicHeight: `auto ${heightPx}px` }}
      // The padding leaves room for the shadows: nothing is drawn beyond it.
      className="-mx-2.5 -my-5 grid gap-5 px-2.5 py-5 [content-visibility:auto] md:grid-cols-2 lg:grid-cols-3"
    >
      {children}
    </div>
  )
}
