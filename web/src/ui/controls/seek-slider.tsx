import { DirectionProvider } from '@base-ui/react/direction-provider'
import { Slider } from '@base-ui/react/slider'
import { useEffect, useRef, type KeyboardEvent, type Ref } from 'react'
import { useWaveformClip } from '../music/waveform-clip.tsx'

interface SeekSliderProps {
  label: string
  value: number
  max: number
  /** How far an arrow key moves the thumb; Page Up and Page Down move it six times as far. */
  keyStep: number
  describe: (value: number) => string
  isDisabled: boolean
  hint?: string
  /** The element whose `--share`, 0..1, places the drawn bar and thumb: by transform, without layout. */
  drawing?: Ref<HTMLDivElement>
  /** How loud each part of the track is, from 0 to 255: drawn in place of the bar. Null for the bar. */
  waveform?: readonly number[] | null
  /** Called while the thumb is held, by pointer or keys. */
  onHold: (value: number) => void
  /** Called once the thumb is released: at once by a pointer, a moment after the last key. */
  onCommit: (value: number) => void
}

/** Several presses in a row are one movement. */
const commitAfterKeyMs = 300
const largeSteps = 6
const arrows: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }

/**
 * A slider, from left to right in every language, that reports a movement once, when it ends, and stays where it is
 * held until then.
 */
export function SeekSlider(props: SeekSliderProps) {
  const { label, value, max, keyStep, describe, isDisabled, hint, drawing, waveform = null } = props
  const { onHold, onCommit } = props
  const clip = useWaveformClip(waveform)
  const keys = useHeldKeys(onHold, onCommit)
  const moveByKey = (event: KeyboardEvent) => {
    const direction = arrows[event.key]
    if (direction === undefined) return
    event.preventDefault()
    keys.hold(Math.min(max, Math.max(0, value + direction * keyStep)))
  }
  return (
    <DirectionProvider direction="ltr">
      <Slider.Root
        dir="ltr"
        value={value}
        max={max}
        largeStep={largeSteps * keyStep}
        disabled={isDisabled}
        onValueChange={(next, { reason }) => (reason === 'keyboard' ? keys.hold(next) : onHold(next))}
        onValueCommitted={(next, { reason }) => {
          if (reason !== 'keyboard') onCommit(next)
        }}
      >
        <Slider.Control
          title={hint}
          className="group flex h-6 touch-none items-center px-[0.4375rem] forced-color-adjust-none select-none not-data-disabled:cursor-pointer data-disabled:cursor-not-allowed"
        >
          <Slider.Track ref={drawing} className="relative h-1.5 w-full">
            {/* The thumb stays within the track: its radius is padding, which the bar extends into. */}
            <span
              style={clip.style}
              className={`absolute -right-[0.4375rem] -left-[0.4375rem] overflow-hidden bg-ink/22 ${waveform === null ? 'inset-y-0 rounded-full' : '-inset-y-3'}`}
            >
              {clip.shape}
              <span className="block size-full origin-left [transform:scaleX(var(--share,0))] bg-ink transition-colors group-hover:group-not-data-disabled:bg-brand-text" />
            </span>
            {/* The moving part is as wide as the track: cut off, so that it does not widen the page. */}
            <span className="pointer-events-none absolute -inset-x-3 -inset-y-4 overflow-hidden">
              <span className="absolute inset-x-3 inset-y-0 [transform:translateX(calc(var(--share,0)*100%))]">
                <span className="absolute top-1/2 -left-[0.4375rem] size-3.5 -translate-y-1/2 rounded-full bg-ink transition-[scale] duration-150 group-hover:scale-115 group-has-focus-visible:outline-2 group-has-focus-visible:outline-offset-2 group-has-focus-visible:outline-brand-text group-data-disabled:hidden" />
              </span>
            </span>
            <Slider.Thumb
              aria-label={label}
              getAriaValueText={(_text, shown) => describe(shown)}
              onKeyDown={moveByKey}
              onKeyUp={() => keys.release()}
              onBlur={() => keys.commit()}
              className="size-3.5 opacity-0"
            />
          </Slider.Track>
        </Slider.Control>
      </Slider.Root>
    </DirectionProvider>
  )
}

/** Collects a movement by keys, and commits it a moment after the last key was released or when the focus leaves. */
function useHeldKeys(onHold: (value: number) => void, onCommit: (value: number) => void) {
  const held = useRef<number | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The callback may have changed when the timer ends.
  const latestCommit = useRef(onCommit)
  useEffect(() => {
    latestCommit.current = onCommit
  }, [onCommit])
  useEffect(() => () => clearTimeout(timer.current), [])
  const commit = () => {
    clearTimeout(timer.current)
    if (held.current === null) return
    const value = held.current
    held.current = null
    latestCommit.current(value)
  }
  return {
    hold(value: number) {
      clearTimeout(timer.current)
      held.current = value
      onHold(value)
    },
    release() {
      if (held.current !== null) timer.current = setTimeout(commit, commitAfterKeyMs)
    },
    commit,
  }
}
