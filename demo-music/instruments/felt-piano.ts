import { createDecay } from '../signal/envelope.ts'
import { createFilter } from '../signal/filter.ts'
import { sampleRate } from '../signal/stereo.ts'
import { toHertz } from '../notation/pitch.ts'
import { createModes } from './modal.ts'
import { addStereo } from './note.ts'
import type { Instrument, Note } from './note.ts'
import type { Mode } from './modal.ts'

const mostPartials = 18
/** The hammer strikes an eighth of the way along the string, so the eighth partial is missing. */
const strikePoint = 1 / 8
const releaseSeconds = 0.45
/** A felt strip between hammer and string makes the attack slow. */
const feltSeconds = 0.007

/** The partials of one string: stretched by its stiffness, the high ones weaker and shorter. */
function listPartials(note: Note, cents: number, decay: number): Mode[] {
  const hertz = toHertz(note.pitch) * 2 ** (cents / 1200)
  const stiffness = 0.00025 * 2 ** ((note.pitch - 60) / 16)
  const ceiling = 700 + 3600 * note.velocity ** 1.5
  return Array.from({ length: mostPartials }, (_, index) => {
    const number = index + 1
    const partial = number * hertz * Math.sqrt(1 + stiffness * number * number)
    return {
      hertz: partial,
      gain:
        (Math.abs(Math.sin(number * Math.PI * strikePoint)) / number ** 0.9) * Math.exp(-partial / ceiling),
      seconds: (decay * 2 ** ((60 - note.pitch) / 22)) / (1 + 0.28 * index),
    }
  }).filter((mode) => mode.hertz < 11_000)
}

/** A close, soft upright piano. Low notes sit left, high ones right; two strings a note beat slowly. */
export const feltPiano: Instrument = (out, note, random) => {
  const first = createModes(listPartials(note, -0.5 + 0.2 * random.bipolar(), 5))
  const second = createModes(listPartials(note, 0.6 + 0.2 * random.bipolar(), 8))
  const place = Math.max(-0.6, Math.min(0.6, (note.pitch - 62) / 36))
  const thump = createFilter('low')
  const thumpDecay = createDecay(0.09)
  const seconds = Math.min(note.seconds + releaseSeconds, 9)
  let frame = 0
  addStereo(out, note.at, seconds, (sounding) => {
    const at = frame / sampleRate
    frame += 1
    const damp = at > note.seconds ? 10 ** ((-3 * (at - note.seconds)) / releaseSeconds) : 1
    const felt = at < feltSeconds ? Math.sin((at / feltSeconds) * (Math.PI / 2)) : 1
    const knock = 0.5 * thump(random.bipolar(), 260, 0.7) * thumpDecay() * note.velocity
    const one = first() * damp * felt * note.velocity
    const two = second() * damp * felt * note.velocity
    sounding.left = knock + one * (0.75 - 0.4 * place) + two * (0.55 - 0.4 * place)
    sounding.right = knock + one * (0.55 + 0.4 * place) + two * (0.75 + 0.4 * place)
  })
}
