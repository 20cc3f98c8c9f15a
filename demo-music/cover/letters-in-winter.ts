import { createRandom } from '../signal/random.ts'
import { circle, coverSize, fadeDown, polygon, rectangle, spread } from './shapes.ts'

const base = 470

/** Snow that falls over the upper half. */
function drawSnow(): string {
  const random = createRandom('snow')
  return spread(46, 0, 1)
    .map(() =>
      circle(random.between(0, 600), random.between(0, 330), random.between(2.5, 6.5), '#ffffff', 0.9),
    )
    .join('')
}

function drawMountain(x: number, top: number, half: number): string {
  return [
    polygon(
      [
        [x - half, base],
        [x, top],
        [x + half, base],
      ],
      '#7f9fc2',
    ),
    polygon(
      [
        [x, top],
        [x + half, base],
        [x + 0.35 * half, base],
      ],
      '#6686ad',
    ),
  ].join('')
}

/** An open envelope seen from behind: the flaps at the sides, then the one below. */
function drawEnvelope(): string {
  const middle = [coverSize / 2, 520] as const
  const peak = [coverSize / 2, 398] as const
  return [
    polygon([[0, coverSize], [0, 318], middle], '#f7fafc'),
    polygon([[coverSize, coverSize], [coverSize, 318], middle], '#dbe6f0'),
    polygon([[0, 318], middle, [300, 548], [0, 346]], '#1d3d63', 0.14),
    polygon([[0, coverSize], peak, [coverSize, coverSize]], '#1d3d63'),
    polygon([peak, [coverSize, coverSize], [300, coverSize]], '#16304f'),
  ].join('')
}

/** Folded paper that is also a range of mountains, under a low sun that is also a seal. */
export function drawLettersInWinter(): string {
  return [
    fadeDown('cold', [
      [0, '#9db9d6'],
      [1, '#e6eef5'],
    ]),
    rectangle(0, 0, coverSize, coverSize, 'url(#cold)'),
    drawSnow(),
    drawMountain(120, 210, 180),
    drawMountain(500, 170, 210),
    circle(300, 318, 92, '#e5482d'),
    drawEnvelope(),
  ].join('')
}
