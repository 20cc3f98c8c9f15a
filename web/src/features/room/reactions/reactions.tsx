import { reactionKinds } from '@earshot/core/protocol/wire-constants'
import { useEffect, useRef, useState } from 'react'
import { reactions as texts } from '../../../texts/room.ts'
import { joinClasses } from '../../../ui/class-names.ts'
import { reducedMotion, useMediaQuery } from '../../../ui/page/media-query.ts'
import { ReactionIcon } from './reaction-icon.tsx'
import { useReact, useReactions } from './use-reactions.ts'

/** The buttons of the reactions, with a count of what came in where nothing may move. */
export function Reactions({ className }: { className?: string | undefined }) {
  const react = useReact()
  const isStill = useMediaQuery(reducedMotion)
  const counts = useRecentCounts(quietCountMs)
  return (
    <fieldset
      aria-label={texts.title}
      className={joinClasses('flex min-w-0 flex-wrap items-center justify-center gap-1', className)}
    >
      {reactionKinds.map((kind, index) => (
        <button
          key={kind}
          type="button"
          aria-label={texts.names[kind]}
          aria-keyshortcuts={`${index + 1}`}
          title={`${texts.names[kind]} (${index + 1})`}
          onClick={() => react(kind)}
          className="relative grid size-9 place-items-center rounded-full transition-transform duration-150 select-none hover:bg-raised active:scale-90 pointer-coarse:size-11"
        >
          <ReactionIcon kind={kind} className="size-5" />
          {isStill && (counts[kind] ?? 0) > 0 && (
            <span
              aria-hidden
              className="absolute end-0 top-0 min-w-4.5 rounded-full bg-raised px-1 text-center text-xs text-ink tabular-nums"
            >
              {counts[kind]}
            </span>
          )}
        </button>
      ))}
      <ReactionSummary />
    </fieldset>
  )
}

/** How long a count stays after the last reaction. */
const quietCountMs = 5_000

/** Counts reactions by kind; starts again when none came for `ms`. */
function useRecentCounts(ms: number): Record<string, number> {
  const [counts, setCounts] = useState<Record<string, number>>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useReactions((counted) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCounts({}), ms)
    setCounts((before) =>
      counted.reduce((after, { kind, count }) => ({ ...after, [kind]: (after[kind] ?? 0) + count }), before),
    )
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return counts
}

const summaryEveryMs = 10_000

/** Tells screen readers how many reactions came, at most every 10 s. */
function ReactionSummary() {
  const [text, setText] = useState('')
  const pending = useRef({ count: 0, timer: undefined as ReturnType<typeof setTimeout> | undefined })
  useReactions((counted) => {
    const state = pending.current
    state.count += counted.reduce((sum, { count }) => sum + count, 0)
    state.timer ??= setTimeout(() => {
      setText(texts.summary(state.count))
      pending.current = { count: 0, timer: undefined }
    }, summaryEveryMs)
  })
  useEffect(() => () => clearTimeout(pending.current.timer), [])
  return <output className="sr-only">{text}</output>
}
