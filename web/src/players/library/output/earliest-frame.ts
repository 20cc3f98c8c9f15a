/** Returns the first frame of the context that can still be scheduled: it renders one device buffer at a time. */
export function earliestFrame(context: AudioContext): number {
  const marginS = Math.max(context.baseLatency, 0.01) + 0.01
  return Math.ceil((context.currentTime + marginS) * context.sampleRate)
}
