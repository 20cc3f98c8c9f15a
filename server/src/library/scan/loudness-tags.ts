import type { IAudioMetadata } from 'music-metadata'
import { limits } from '@earshot/core/limits'

interface StatedLoudness {
  /** By how much to play a track louder, dB, to bring it to the loudness of ReplayGain; null where no tag states it. */
  gainDb: number | null
  /** The largest sample, 1 being full scale; null where no tag states it. */
  peak: number | null
}

/** R128 gains are relative to -23 LUFS, ReplayGain's to -18. */
const r128OffsetDb = 5
const r128UnitsPerDb = 256

/**
 * Returns the loudness that the tags of a file state: R128_TRACK_GAIN, or else ReplayGain's. The parser's own values are of
 * no use: it does not tell decibels from ratios. An Opus file's output gain is applied by decoders, and these gains are on
 * top of it (RFC 7845, 5.2.1).
 */
export function readLoudnessTags({ native }: IAudioMetadata): StatedLoudness {
  const tags = Object.values(native).flat()
  const find = (names: string[], parse: (text: string) => number | null): number | null => {
    const values = tags.filter(({ id }) => names.includes(nameOf(id)))
    return values.map(({ value }) => parse(String(value).trim())).find((value) => value !== null) ?? null
  }
  const r128Db = find(['r128_track_gain'], parseR128Gain)
  return {
    gainDb: r128Db ?? find(['replaygain_track_gain', 'replaygain_gain'], parseGain),
    peak: find(['replaygain_track_peak', 'replaygain_peak'], parsePeak),
  }
}

/** The name without what formats put before it: `TXXX:`, `----:com.apple.iTunes:` or, in Matroska, `track:`. */
function nameOf(id: string): string {
  const name = id.toLowerCase()
  // Matroska has one name for the gain of a track and that of an album.
  const isOfAlbum = name === 'album:replaygain_gain' || name === 'album:replaygain_peak'
  return isOfAlbum ? name : name.slice(name.lastIndexOf(':') + 1)
}

function parseR128Gain(text: string): number | null {
  return /^[+-]?\d+$/.test(text) ? toGain(Number(text) / r128UnitsPerDb + r128OffsetDb) : null
}

/** Some programs write the decimal sign of their language, or leave out the unit. */
function parseGain(text: string): number | null {
  const [, number] = /^([+-]?\d+(?:[.,]\d+)?)\s*(?:db)?$/i.exec(text) ?? []
  return number === undefined ? null : toGain(Number(number.replace(',', '.')))
}

/** Rounds a gain; null for one that makes no sense, as programs write for silence. */
function toGain(gainDb: number): number | null {
  return Math.abs(gainDb) <= limits.trackGainMaxDb ? Number(gainDb.toFixed(2)) : null
}

function parsePeak(text: string): number | null {
  const peak = Number(Number(text.replace(',', '.')).toFixed(6))
  return peak > 0 && peak <= limits.trackPeakMax ? peak : null
}
