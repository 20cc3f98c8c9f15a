/**
 * Returns the duration in ms of an Opus packet that starts with these bytes (RFC 6716, 3.1). The one that a file states
 * includes a gap behind the packet.
 */
export function opusPacketMs([toc = 0, frameCount = 0]: Uint8Array): number {
  const config = toc >> 3
  const framesMs = config < 12 ? [10, 20, 40, 60] : config < 16 ? [10, 20, 10, 20] : [2.5, 5, 10, 20]
  const count = [1, 2, 2, frameCount & 0x3f][toc & 3] ?? 1
  return (framesMs[config & 3] ?? 0) * count
}
