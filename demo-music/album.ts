import { drawGlasshouse } from './cover/glasshouse.ts'
import { drawKettleAtThree } from './cover/kettle-at-three.ts'
import { drawLettersInWinter } from './cover/letters-in-winter.ts'
import { drawNeonHarbour } from './cover/neon-harbour.ts'
import { drawOrchardPath } from './cover/orchard-path.ts'
import { drawPocketComet } from './cover/pocket-comet.ts'
import { drawTidalRoom } from './cover/tidal-room.ts'
import { drawUnderpass } from './cover/underpass.ts'
import { glasshouse } from './score/glasshouse.ts'
import { kettleAtThree } from './score/kettle-at-three.ts'
import { lettersInWinter } from './score/letters-in-winter.ts'
import { neonHarbour } from './score/neon-harbour.ts'
import { orchardPath } from './score/orchard-path.ts'
import { pocketComet } from './score/pocket-comet.ts'
import { tidalRoom } from './score/tidal-room.ts'
import { underpass } from './score/underpass.ts'
import type { Score } from './score/score.ts'

export const album = {
  title: 'First Light',
  artist: 'Earshot Sessions',
  date: '2026',
  license: 'https://creativecommons.org/publicdomain/zero/1.0/',
  copyright: 'CC0 1.0 Universal: no rights reserved',
}

export interface AlbumTrack {
  score: Score
  /** The cover as SVG content, see `frameCover`. */
  drawCover: () => string
  /** The rate that the encoder aims at; as it varies, dense music ends up at a fifth more. */
  kilobitsPerSecond: number
}

/** In order: from dusk through the night to the morning. */
export const tracks: readonly AlbumTrack[] = [
  { score: neonHarbour, drawCover: drawNeonHarbour, kilobitsPerSecond: 64 },
  { score: glasshouse, drawCover: drawGlasshouse, kilobitsPerSecond: 64 },
  { score: underpass, drawCover: drawUnderpass, kilobitsPerSecond: 68 },
  { score: kettleAtThree, drawCover: drawKettleAtThree, kilobitsPerSecond: 62 },
  { score: lettersInWinter, drawCover: drawLettersInWinter, kilobitsPerSecond: 62 },
  { score: tidalRoom, drawCover: drawTidalRoom, kilobitsPerSecond: 58 },
  { score: pocketComet, drawCover: drawPocketComet, kilobitsPerSecond: 60 },
  { score: orchardPath, drawCover: drawOrchardPath, kilobitsPerSecond: 64 },
]

/** 'Kettle at Three', fourth -> '04-kettle-at-three.opus'. */
export function nameFile(title: string, number: number): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${String(number).padStart(2, '0')}-${slug}.opus`
}
