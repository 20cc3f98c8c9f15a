import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react'
import { codeOnDemand } from './code-on-demand.ts'

const usePopup = codeOnDemand(async () => (await import('./tooltip-popup.tsx')).TooltipPopup)

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
  const [anchor, setAnchor] = useState<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const hide = () => {
    clearTimeout(timer.current)
    setAnchor(null)
  }
  const Popup = usePopup(anchor !== null, hide)
  const trigger = cloneElement(children, {
    onPointerEnter({ pointerType, currentTarget }) {
      if (pointerType === 'touch') return
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setAnchor(currentTarget), restMs)
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
      {Popup && anchor && <Popup text={text} side={side} anchor={anchor} onClose={hide} />}
    </>
  )
}
