import { createDesk } from './desk.ts'
import { master } from './master.ts'
import type { Score } from '../score/score.ts'
import type { Stereo } from '../signal/stereo.ts'

/** The finished sound of a piece: the same samples every time. */
export function renderScore(score: Score): Stereo {
  const desk = createDesk(score.title, score.seconds, score.room)
  score.compose(desk)
  const mix = desk.mixDown()
  master(mix, score.fades)
  return mix
}
