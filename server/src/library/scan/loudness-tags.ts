import type { IAudioMetadata, ITag } from 'music-metadata'
import { limits } from '@earshot/core/limits'

export interface StatedLoudness {
  /** By how much to play a track louder, dB, to bring it to the loudness of ReplayGain; null where no tag states it. */
  gainDb: number | null
  /** The largest sample, 1 being full scale; null where no tag states it. */
  peak: number | null
  /** The same of its album. */
  albumGainDb: number | null
  albumPeak: number | null
}

/** R128 gains are relative to -23 LUFS, ReplayGain's to -18. */
const r128OffsetDb = 5
const r128UnitsPerDb = 256

/**
 * Returns the loudness that the tags of a file state: in Opus R128's, or else ReplayGain's. The parser's own values are of
 * no use: it does not tell decibels from ratios. An Opus file's output gain is applied by decoders, and these gains are on
 * top of it (RFC 7845, 5.2.1).
 */
export function readLoudnessTags({ format, native }: IAudioMetadata): StatedLoudness {
  const isOpus = format.codec?.toLowerCase() === 'opus'
  // All of one kind of tag: a program that changes the volume corrects its own kind only.
  const kinds = Object.values(native).map((tags) => readTags(tags, isOpus))
  const stated = kinds.filter((kind) => Object.values(kind).some((value) => value !== null))
  return stated.find(({ gainDb }) => gainDb !== null) ?? stated[0] ?? readTags([], isOpus)
}

function readTags(tags: ITag[], isOpus: boolean): StatedLoudness {
  const find = (names: string[], parse: (text: string) => number | null): number | null => {
    const values = tags.filter(({ id }) => names.includes(nameOf(id)))
    const texts = values.map(({ value }) => String(value).replaceAll('\0', '').trim())
    return texts.map(parse).find((value) => value !== null) ?? null
  }
  const r128 = (level: string) => (isOpus ? find([`r128_${level}_gain`], parseR128Gain) : null)
  return {
    gainDb: r128('track') ?? find(['replaygain_track_gain', 'replaygain_gain'], parseGain),
    peak: find(['replaygain_track_peak', 'replaygain_peak'], parsePeak),
    albumGainDb: r128('album') ?? find(['replaygain_album_gain', 'album:replaygain_gain'], parseGain),
    albumPeak: find(['replaygain_album_peak', 'album:replaygain_peak'], parsePeak),
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
