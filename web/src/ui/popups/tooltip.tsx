import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useState,
} from 'react'
import { partOnDemand } from '../loading/part-on-demand.tsx'

const TooltipPopup = partOnDemand(async () => (await import('./tooltip-popup.tsx')).TooltipPopup)

/** How long a pointer rests on an element before its tooltip appears. */
const restMs = 600

interface TooltipProps {
  text: string
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** The element to describe. */
  children: ReactElement<TriggerProps>
}

interface TriggerProps {
  onPointerEnter?: (event: PointerEvent) => void
  onPointerLeave?: () => void
  onPointerDown?: () => void
  onFocus?: (event: FocusEvent) => void
  onBlur?: () => void
}

/** A tooltip on hover and focus. It does not replace the element's accessible name. */
export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  const [pointedAt, setPointedAt] = useState<Element | null>(null)
  const [anchor, setAnchor] = useState<Element | null>(null)
  useEffect(() => {
    if (pointedAt === null) return
    const timer = setTimeout(() => setAnchor(pointedAt), restMs)
    return () => clearTimeout(timer)
  }, [pointedAt])
  const hide = () => {
    setPointedAt(null)
    setAnchor(null)
  }
  const trigger = cloneElement(children, {
    onPointerEnter({ pointerType, currentTarget }) {
      if (pointerType !== 'touch') setPointedAt(currentTarget)
    },
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocus({ currentTarget }) {
      if (currentTarget.matches(':focus-visible')) setAnchor(currentTarget)
    },
    onBlur: hide,
  })
  return (
    <>
      {trigger}
      <TooltipPopup
        isWanted={anchor !== null}
        onGivenUp={hide}
        text={text}
        side={side}
        anchor={anchor}
        onClose={hide}
      />
    </>
  )
}
