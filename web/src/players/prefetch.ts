import type { EncodedPacketSink } from 'mediabunny'

/** Reads encoded packets ahead of the decoder, so that they lie in the source's cache when the server goes away. */
export interface Prefetch {
  /** Keeps two minutes from here on in memory, or all there is. */
  keepAheadOf(positionS: number): void
  stop(): void
}

const aheadS = 120
/** One look a second of sound: each makes the source fetch half a megabyte, if it is not there yet. */
const lookEveryS = 1
/** Going on in steps this long, instead of at every packet. */
const stepS = 10

export function createPrefetch(packets: EncodedPacketSink): Prefetch {
  let walk = 0
  let askedForS = Number.NEGATIVE_INFINITY
  let reachedS = 0

  const readUntil = async (fromS: number, untilS: number, own: number) => {
    for (let atS = fromS; atS < untilS && own === walk; atS += lookEveryS) {
      const packet = await packets.getPacket(atS)
      if (packet && packet.timestamp < atS - lookEveryS) return // The end of the track
      reachedS = atS
    }
  }

  const keepAheadOf = (positionS: number) => {
    if (positionS >= askedForS && positionS < askedForS + stepS) return
    const isWithinReach = positionS >= askedForS && positionS <= reachedS
    askedForS = positionS
    walk++
    // A failure here is none yet: the decoder meets the same one when it gets there, and tells it.
    readUntil(isWithinReach ? reachedS : positionS, positionS + aheadS, walk).catch(() => undefined)
  }

  return { keepAheadOf, stop: () => void walk++ }
}
