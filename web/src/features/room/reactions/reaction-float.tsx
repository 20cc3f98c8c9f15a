import type { ReactionKind } from '@earshot/core/protocol/wire-constants'
import { useRef, useState, type CSSProperties } from 'react'
import { reducedMotion, useMediaQuery } from '../../../ui/page/media-query.ts'
import { ReactionIcon } from './reaction-icon.tsx'
import { useReactions, type CountedReaction } from './use-reactions.ts'

/** On screen at a time; more are not drawn. */
const mostFloating = 20
/** Of one kind at once; the count says the rest. */
const mostOfBatch = 3
/** Where the next ones rise, across the width in percent: far from the one before. */
const lanes = [18, 62, 38, 82, 26, 70, 48, 90, 10, 54]

interface Floating {
  id: number
  kind: ReactionKind
  /** Shown beside it where it stands for several. */
  count: number
  lane: number
}

/**
 * Shows the room's reactions rising over the nearest positioned parent, all pages at the same moment of the music.
 * Nothing is shown with reduced motion, or while the page is hidden.
 */
export function ReactionFloat() {
  const isStill = useMediaQuery(reducedMotion)
  const [floating, setFloating] = useState<readonly Floating[]>([])
  const nextId = useRef(0)
  useReactions((counted) => {
    if (isStill || document.hidden) return
    const added = counted.flatMap(toSingles).map(({ kind, count }) => {
      const id = nextId.current++
      return { id, kind, count, lane: lanes[id % lanes.length] ?? 50 }
    })
    setFloating((before) => [...before, ...added].slice(0, mostFloating))
  })
  const remove = (id: number) => setFloating((before) => before.filter((each) => each.id !== id))
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 overflow-hidden contain-strict">
      {floating.map(({ id, kind, count, lane }) => (
        <span
          key={id}
          data-reaction={kind}
          style={{ '--lane': `${lane}%` } as CSSProperties}
          onAnimationEnd={() => remove(id)}
          className="absolute bottom-4 left-(--lane) flex animate-reaction items-center gap-1 rounded-full bg-surface/90 p-2 shadow-lift"
        >
          <ReactionIcon kind={kind} className="size-6 fill-current" />
          {count > 1 && <span className="pe-1 text-sm font-semibold text-ink tabular-nums">{count}</span>}
        </span>
      ))}
    </div>
  )
}

/** Divides a count into single reactions; the last one stands for those that are not drawn. */
function toSingles({ kind, count }: CountedReaction): CountedReaction[] {
  const drawn = Math.min(count, mostOfBatch)
  return Array.from({ length: drawn }, (_, index) => ({
    kind,
    count: index === drawn - 1 ? count - drawn + 1 : 1,
  }))
}
