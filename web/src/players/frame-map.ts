/**
 * Which frame of the track belongs to which frame of the audio context, over changes of rate: straight pieces, so
 * that positions stay exact however often the rate is nudged. Both are counted at the context's sample rate.
 */
export interface LinePiece {
  atFrame: number
  positionFrame: number
  /** Track frames per context frame. */
  rate: number
}

/** In order of `atFrame`, never empty. The last piece goes on for ever. */
export type PositionLine = readonly [LinePiece, ...LinePiece[]]

/** What is audible lags what is scheduled by the output latency, so a few past pieces are still asked for. */
const piecesKept = 8

export function startLine(atFrame: number, positionFrame: number): PositionLine {
  return [{ atFrame, positionFrame, rate: 1 }]
}

const lastPiece = (line: PositionLine): LinePiece => line.at(-1) ?? line[0]

/** The track's frame at a frame of the context; before the start the one it starts with. */
export function positionAtFrame(line: PositionLine, frame: number): number {
  const piece = line.findLast((candidate) => candidate.atFrame <= frame) ?? line[0]
  return piece.positionFrame + Math.max(0, frame - piece.atFrame) * piece.rate
}

/** The context's frame at which a frame of the track is due, by the piece that is in force now. */
export function frameOfPosition(line: PositionLine, positionFrame: number): number {
  const { atFrame, positionFrame: from, rate } = lastPiece(line)
  return atFrame + (positionFrame - from) / rate
}

/**
 * The line with another rate from a context frame on. Back at rate 1 the position is rounded to a whole frame (at
 * most 12 microseconds), so that samples are copied again and not interpolated.
 */
export function changeRate(line: PositionLine, atFrame: number, rate: number): PositionLine {
  return bendLine(line, atFrame, rate, 0)
}

/** The line that goes on at the same rate, some frames further in the track (or back). */
export function jumpOnLine(line: PositionLine, atFrame: number, frames: number): PositionLine {
  return bendLine(line, atFrame, lastPiece(line).rate, frames)
}

function bendLine(line: PositionLine, atFrame: number, rate: number, jumpFrames: number): PositionLine {
  const from = Math.max(atFrame, lastPiece(line).atFrame)
  const exact = positionAtFrame(line, from) + jumpFrames
  const piece = { atFrame: from, positionFrame: rate === 1 ? Math.round(exact) : exact, rate }
  const [first, ...rest] = line.filter((earlier) => earlier.atFrame < from).slice(-piecesKept)
  return first ? [first, ...rest, piece] : [piece]
}

export interface BlockPlan {
  atFrame: number
  /** How far into the block it begins: more than 0 where its start has passed or belongs to an earlier piece. */
  offsetFrames: number
  untilFrame: number
}

/** When to sound a block of the track, not before `earliestFrame`; null where its time has passed. */
export function planBlock(
  line: PositionLine,
  block: { startFrame: number; frames: number },
  earliestFrame: number,
): BlockPlan | null {
  const untilFrame = frameOfPosition(line, block.startFrame + block.frames)
  const atFrame = Math.max(frameOfPosition(line, block.startFrame), lastPiece(line).atFrame, earliestFrame)
  if (atFrame >= untilFrame) return null
  // What is left of rounding must not lie before the block.
  const offsetFrames = Math.max(0, positionAtFrame(line, atFrame) - block.startFrame)
  return { atFrame, offsetFrames, untilFrame }
}
