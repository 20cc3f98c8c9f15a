import { opusPacketMs } from '@earshot/core/audio/opus-packets'

/** Opus packets begin at multiples of 2.5 ms, at 48 kHz. */
const gridFrames = 120

/** Places a sample by the frame at which the file states its packet, in the order in which they are decoded. */
type PlaceOpus = (packetFrame: number, sample: { sampleRate: number; numberOfFrames: number }) => number

/**
 * Places what a decoder outputs that starts at a packet in the middle of a track. Browsers but WebKit drop the pre-skip
 * there (RFC 7845, 4.2). The times of Matroska include it, in whole milliseconds, those of other formats do not.
 * Uncorrected, late joiners would be 6 ms ahead.
 */
export function placeOpusFrom(firstPacket: Uint8Array, isMatroska: boolean): PlaceOpus {
  let dropped: number | null = null
  return (packetFrame, { sampleRate, numberOfFrames }) => {
    const isFirst = dropped === null
    dropped ??= Math.max(0, (opusPacketMs(firstPacket) * sampleRate) / 1_000 - numberOfFrames)
    if (isMatroska) return onGrid(packetFrame) - (isFirst ? 0 : dropped)
    return packetFrame + (isFirst ? dropped : 0)
  }
}

const onGrid = (frame: number): number => Math.round(frame / gridFrames) * gridFrames
