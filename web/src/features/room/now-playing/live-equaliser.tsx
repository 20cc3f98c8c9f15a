import { useEffect, useRef, useState, type RefObject } from 'react'
import { soundHere } from '../../../engine/state/room-state.ts'
import { Equaliser } from '../../../ui/music/equaliser.tsx'
import { useRoomActions, useRoomVisit, useRoomState } from '../use-room.ts'
import { tickMs } from './progress-bar.tsx'

/** 12 Hz: the eye follows it. On the instants of the progress bar, so that both are drawn in one frame. */
const everyMs = tickMs / 3
/** The height of a bar in silence. */
const restScale = 0.2

/**
 * Bars that follow the sound of this page and stand still in silence. A player whose sound is out of reach (Spotify,
 * YouTube) gets an even motion while it plays.
 */
export function LiveEqualiser({ className = '' }: { className?: string }) {
  const { player } = useRoomVisit()
  const { positionNow } = useRoomActions()
  const isSounding = useRoomState(
    (state) => state.timeline.isPlaying && soundHere(state) === 'on' && !state.isSoundBlocked,
  )
  const [hasLevels, setHasLevels] = useState(true)
  const bars = useRef<HTMLSpanElement>(null)
  const isOnScreen = useOnScreen(bars)
  useEffect(() => {
    const host = bars.current
    if (!isSounding || !isOnScreen || prefersStillness()) return
    let timer: ReturnType<typeof setTimeout>
    const loop = () => {
      timer = setTimeout(loop, everyMs - (positionNow() % everyMs))
      if (document.hidden) return
      const levels = player.levels()
      setHasLevels(levels !== null)
      drawBars(host, levels)
    }
    loop()
    return () => {
      clearTimeout(timer)
      drawBars(host, null)
    }
  }, [player, positionNow, isSounding, isOnScreen])
  return (
    <span ref={bars} className={`inline-flex ${className}`}>
      <Equaliser isPlaying={isSounding && isOnScreen && !hasLevels} className="size-full" />
    </span>
  )
}

/** Scales the bars; null rests them. */
function drawBars(host: HTMLElement | null, levels: readonly number[] | null): void {
  host?.querySelectorAll<HTMLElement>(':scope > span > span').forEach((bar, index) => {
    const level = levels?.[index]
    bar.style.transform = level === undefined ? '' : `scaleY(${Math.max(restScale, level).toFixed(2)})`
  })
}

const prefersStillness = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

function useOnScreen(element: RefObject<HTMLElement | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(([entry]) => setOnScreen(entry?.isIntersecting ?? false))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isOnScreen
}
