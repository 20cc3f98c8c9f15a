import { createRandom } from '../signal/random.ts'
import { circle, clip, coverSize, fadeDown, polygon, rectangle, spread, stroke } from './shapes.ts'

const horizon = 392
const ink = '#160a33'

/** A sinking sun cut into slices by the haze. */
function drawSun(): string {
  const slices = spread(7, 0, 1).map((share) =>
    rectangle(90, 238 + 150 * share ** 0.9, 420, 4 + 17 * share, 'url(#sky)'),
  )
  return (
    clip('sun', circle(300, 290, 188, '#fff'), rectangle(100, 100, 400, 400, 'url(#sun-fill)')) +
    slices.join('')
  )
}

function drawCrane(x: number, scale: number, side: 1 | -1): string {
  const at = (dx: number, dy: number) => [x + side * dx * scale, horizon + dy * scale] as const
  return [
    polygon([at(-20, 0), at(-8, -150), at(2, -150), at(-6, 0)], ink),
    polygon([at(34, 0), at(18, -150), at(8, -150), at(22, 0)], ink),
    polygon([at(-70, -150), at(150, -150), at(150, -164), at(-70, -164)], ink),
    polygon([at(0, -160), at(8, -226), at(18, -226), at(24, -160)], ink),
    stroke([at(12, -222), at(146, -160)], 5 * scale, ink),
    stroke([at(12, -222), at(-64, -160)], 5 * scale, ink),
    stroke([at(112, -150), at(112, -104)], 4 * scale, ink),
    polygon([at(98, -104), at(126, -104), at(126, -82), at(98, -82)], ink),
  ].join('')
}

function drawWater(): string {
  const random = createRandom('harbour')
  const glints = spread(11, 0, 1).map((share) => {
    const width = 330 - 190 * share + random.between(-50, 50)
    const x = 300 - width / 2 + random.between(-26, 26)
    return rectangle(
      x,
      horizon + 12 + 186 * share,
      width,
      6 + 5 * share,
      share < 0.5 ? '#ffb35c' : '#ff4f9a',
      0.95,
    )
  })
  return rectangle(0, horizon, coverSize, coverSize - horizon, 'url(#water)') + glints.join('')
}

export function drawNeonHarbour(): string {
  return [
    fadeDown(
      'sky',
      [
        [0, '#2a0f5c'],
        [0.55, '#7d1f8c'],
        [1, '#ff3f8e'],
      ],
      horizon,
    ),
    fadeDown('sun-fill', [
      [0, '#ffe66b'],
      [0.45, '#ff9a4d'],
      [0.75, '#ff3f8e'],
    ]),
    fadeDown('water', [
      [0, '#4b1479'],
      [1, '#12082b'],
    ]),
    rectangle(0, 0, coverSize, coverSize, 'url(#sky)'),
    drawSun(),
    drawWater(),
    drawCrane(104, 1.15, 1),
    drawCrane(520, 0.8, -1),
    rectangle(0, horizon - 12, coverSize, 16, ink),
  ].join('')
}
