/**
 * Maps frames of the audio context to frames of the track, piecewise linear over changes of rate, so that positions
 * stay exact over any number of changes. Both are counted at the context's sample rate.
 */
interface FrameSpan {
  atFrame: number
  positionFrame: number
  /** Track frames per context frame. */
  rate: number
}

/** In order of `atFrame`, never empty. The last span has no end. */
export type FrameMap = readonly [FrameSpan, ...FrameSpan[]]

/** The audible frame lags the scheduled one by the output latency, so a few past spans are needed. */
const spansKept = 8

export function startFrameMap(atFrame: number, positionFrame: number): FrameMap {
  return [{ atFrame, positionFrame, rate: 1 }]
}

/** Returns the span that runs now or will run last. */
export const lastSpan = (map: FrameMap): FrameSpan => map.at(-1) ?? map[0]

/** Returns the track's frame at a frame of the context; before the start, the first one. */
export function positionAtFrame(map: FrameMap, frame: number): number {
  const span = map.findLast((candidate) => candidate.atFrame <= frame) ?? map[0]
  return span.positionFrame + Math.max(0, frame - span.atFrame) * span.rate
}

/** Returns the context's frame at which a frame of the track is due, by the latest span. */
export function frameOfPosition(map: FrameMap, positionFrame: number): number {
  const { atFrame, positionFrame: from, rate } = lastSpan(map)
  return atFrame + (positionFrame - from) / rate
}

/**
 * Changes the rate from a context frame on. Back at rate 1 the position is rounded to a whole frame (at most 12
 * microseconds), so that samples are copied instead of interpolated.
 */
export function changeRate(map: FrameMap, atFrame: number, rate: number): FrameMap {
  return extendMap(map, atFrame, rate, 0)
}

/** Jumps by some frames of the track from a context frame on, at the same rate. */
export function jumpBy(map: FrameMap, atFrame: number, frames: number): FrameMap {
  return extendMap(map, atFrame, lastSpan(map).rate, frames)
}

function extendMap(map: FrameMap, atFrame: number, rate: number, jumpFrames: number): FrameMap {
  const from = Math.max(atFrame, lastSpan(map).atFrame)
  const exact = positionAtFrame(map, from) + jumpFrames
  const span = { atFrame: from, positionFrame: rate === 1 ? Math.round(exact) : exact, rate }
  const [first, ...rest] = map.filter((earlier) => earlier.atFrame < from).slice(-spansKept)
  return first ? [first, ...rest, span] : [span]
}

export interface BlockPlan {
  atFrame: number
  /** Offset into the block; more than 0 if its start has passed or belongs to an earlier span. */
  offsetFrames: number
  untilFrame: number
}

/** Schedules a block of the track, not before `earliestFrame`; null if its time has passed. */
export function planBlock(
  map: FrameMap,
  block: { startFrame: number; frames: number },
  earliestFrame: number,
): BlockPlan | null {
  const untilFrame = frameOfPosition(map, block.startFrame + block.frames)
  const atFrame = Math.max(frameOfPosition(map, block.startFrame), lastSpan(map).atFrame, earliestFrame)
  if (atFrame >= untilFrame) return null
  // Rounding must not move the offset before the block.
  const offsetFrames = Math.max(0, positionAtFrame(map, atFrame) - block.startFrame)
  return { atFrame, offsetFrames, untilFrame }
}
