import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type DragStartEvent,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { defaultRangeExtractor, measureElement, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  type Ref,
  type RefObject,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type DrawnEntry, moveInQueue, type QueueMove } from '../../../engine/state/optimistic.ts'
import { queue as texts } from '../../../texts/queue.ts'
import { withArrowKeys } from '../../../ui/controls/list-keys.ts'
import { observeListRect } from '../../../ui/page/list-rect.ts'
import { type ListFocus, useListFocus } from '../use-list-focus.ts'
import { QueueItem } from './queue-item.tsx'
import type { QueueEdits } from './use-queue-edits.ts'

/** The height of three lines; a row with a remark is higher. */
const rowHeightPx = 68
/** Moves that are read out by the edits themselves. */
const silent = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
}

export interface QueueListProps {
  entries: readonly DrawnEntry[]
  startsTextOf: (index: number) => string | null
  edits: QueueEdits
}

/** The queue's entries, of which only those in sight are drawn. They are reordered by dragging or with the keyboard. */
export function QueueList({ entries: queued, startsTextOf, edits }: QueueListProps) {
  const [draggedId, setDraggedId] = useState<string | null>(null)
  const [held, setHeld] = useState<QueueMove | null>(null)
  const entries = useMemo(() => (held === null ? queued : moveInQueue(queued, held)), [queued, held])
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const ids = useMemo(() => entries.map((entry) => entry.entry_id), [entries])
  const drop = ({ active, over }: DragEndEvent) => {
    setDraggedId(null)
    const entry = entries[ids.indexOf(String(active.id))]
    const index = over ? ids.indexOf(String(over.id)) : -1
    if (entry && index >= 0 && index !== entry.position) edits.moveEntry(entry, index, entries.length)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements: silent }}
      onDragStart={({ active }: DragStartEvent) => setDraggedId(String(active.id))}
      onDragEnd={drop}
      onDragCancel={() => setDraggedId(null)}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <Rows
          entries={entries}
          ids={ids}
          movedIndex={ids.indexOf(draggedId ?? held?.entryId ?? '')}
          startsTextOf={startsTextOf}
          edits={edits}
          heldId={held?.entryId ?? null}
          hold={setHeld}
        />
      </SortableContext>
    </DndContext>
  )
}

interface RowsProps extends QueueListProps {
  ids: readonly string[]
  movedIndex: number
  heldId: string | null
  hold: RowProps['hold']
}

/** The rows in sight. Scrolling draws them anew, and not what dragging takes around them. */
function Rows({ entries, ids, movedIndex, startsTextOf, edits, heldId, hold }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const keepFocus = useListFocus(scroller, ids)
  const virtualizer = useRows(scroller, ids, movedIndex)
  return (
    <div ref={scroller} tabIndex={-1} className="scroll-list -mx-2 min-h-32 flex-1 px-2 outline-none">
      <ul
        aria-label={texts.title}
        ref={withArrowKeys}
        style={{ height: virtualizer.getTotalSize() }}
        className="relative"
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index]
          return (
            entry && (
              <Row
                key={entry.entry_id}
                entry={entry}
                top={start}
                count={entries.length}
                measure={virtualizer.measureElement}
                reveal={virtualizer.scrollToIndex}
                startsText={startsTextOf(index)}
                edits={edits}
                isHeld={entry.entry_id === heldId}
                hold={hold}
                keepFocus={keepFocus}
              />
            )
          )
        })}
      </ul>
    </div>
  )
}

/** Computes the rows in sight of the scrolled element. */
function useRows(scroller: RefObject<HTMLDivElement | null>, ids: readonly string[], movedIndex: number) {
  const rangeExtractor = useCallback(
    (range: Range) => withIndex(defaultRangeExtractor(range), movedIndex),
    [movedIndex],
  )
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by the compiler
  return useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => ids[index] ?? index,
    measureElement: (...measured) => Math.max(rowHeightPx, measureElement(...measured)),
    overscan: 5,
    // The ends of the list fade out.
    scrollPaddingStart: 8,
    scrollPaddingEnd: 24,
    rangeExtractor,
    observeElementRect: observeListRect,
  })
}

/** Keeps the row that is moved drawn, however far it is scrolled away. */
function withIndex(indexes: number[], index: number): number[] {
  return index < 0 || indexes.includes(index) ? indexes : [...indexes, index].toSorted((a, b) => a - b)
}

interface RowProps extends Omit<QueueListProps, 'entries' | 'startsTextOf'> {
  entry: DrawnEntry
  top: number
  count: number
  measure: (element: HTMLElement | null) => void
  /** Scrolls a place of the list into sight: what is moved there by keys has the focus, and would not be drawn. */
  reveal: (index: number) => void
  startsText: string | null
  /** Whether a key holds it in a place that is not sent yet. */
  isHeld: boolean
  hold: (move: QueueMove | null) => void
  keepFocus: ListFocus
}

const Row = memo(function Row(props: RowProps) {
  const { entry, top, count, measure, startsText, edits } = props
  const sortable = useSortable({ id: entry.entry_id, disabled: entry.isPending })
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } = sortable
  const ref: Ref<HTMLLIElement> = useCallback(
    (element: HTMLLIElement | null) => {
      setNodeRef(element)
      measure(element)
    },
    [setNodeRef, measure],
  )
  return (
    <li
      ref={ref}
      {...props.keepFocus(entry.entry_id, entry.position)}
      aria-setsize={count}
      aria-posinset={entry.position + 1}
      style={{ top, transform: CSS.Translate.toString(transform), transition }}
      className={`absolute inset-x-0 ${isDragging ? 'z-10 rounded-md bg-raised shadow-lift' : ''}`}
    >
      <QueueItem
        entry={entry}
        count={count}
        startsText={startsText}
        edits={edits}
        handle={{ ...listeners, ...moveByKeys(props), ref: setActivatorNodeRef }}
      />
    </li>
  )
})

/** Moves an entry by the arrow keys of its handle. A held key, whose repeats the server would refuse, is one move. */
function moveByKeys({ entry, count, reveal, edits, isHeld, hold }: RowProps): ComponentProps<'button'> {
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    const index = entry.position + by
    if (by === 0 || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    if (index < 0 || index >= count) return
    hold({ entryId: entry.entry_id, index })
    reveal(index)
  }
  const release = () => {
    if (!isHeld) return
    hold(null)
    edits.moveEntry(entry, entry.position, count)
  }
  // Before the list itself, whose keys move the focus.
  return { onKeyDownCapture: move, onKeyUp: release, onBlur: release }
}
