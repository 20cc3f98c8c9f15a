import { type CSSProperties, type ReactNode, useId, useMemo } from 'react'

interface WaveformClip {
  style: CSSProperties | undefined
  /** Goes into the clipped element. */
  shape: ReactNode
}

const bars = 100
/** Of the room that a bar has. */
const barWidth = 0.62
/** So that silence is seen too. */
const barMinHeight = 0.1

/** Clips an element to the bars of a waveform. Drawn once per waveform, whatever moves inside it. */
export function useWaveformClip(peaks: readonly number[] | null): WaveformClip {
  const id = useId()
  const path = useMemo(() => (peaks === null ? '' : drawBars(peaks)), [peaks])
  if (path === '') return { style: undefined, shape: null }
  return {
    style: { clipPath: `url(#${id})` },
    shape: (
      <svg aria-hidden className="absolute size-0">
        <clipPath id={id} clipPathUnits="objectBoundingBox">
          <path d={path} />
        </clipPath>
      </svg>
    ),
  }
}

/** Draws bars around the middle of a square of size 1, each as high as the loudest peak in it. */
export function drawBars(peaks: readonly number[]): string {
  if (peaks.length === 0) return ''
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * peaks.length) / bars)
    const until = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / bars))
    const height = Math.max(barMinHeight, Math.max(...peaks.slice(from, until)) / 255)
    const x = (bar + (1 - barWidth) / 2) / bars
    return `M${round(x)} ${round((1 - height) / 2)}h${round(barWidth / bars)}v${round(height)}h${round(-barWidth / bars)}z`
  }).join('')
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000
