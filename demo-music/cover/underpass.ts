import { circle, coverSize, fadeOut, path, polygon, rectangle, spread } from './shapes.ts'
import type { Point } from './shapes.ts'

const [exitX, exitY] = [300, 330]
/** Each arch of the tunnel is this much smaller than the one before it. */
const shrink = 0.7
const walls = ['#0c0f16', '#0f1f2c', '#113546', '#125564', '#147f82', '#35ad84', '#8ed96a']

/** A point of the nearest arch, seen at a depth: 1 is near, 0 is the exit. */
function place(dx: number, dy: number, depth: number): Point {
  return [exitX + dx * depth, exitY + dy * depth]
}

function drawArch(colour: string, index: number): string {
  const depth = 1.5 * shrink ** index
  const half = 400 * depth
  const spring = exitY - 30 * depth
  const floor = exitY + 270 * depth
  const [left, right] = [exitX - half, exitX + half]
  return path(`M${left} ${floor}V${spring}A${half} ${half} 0 0 1 ${right} ${spring}V${floor}Z`, colour)
}

function drawLamps(index: number): string {
  const near = 1.36 * shrink ** index
  const far = near * 0.84
  return [-1, 1]
    .map((side) =>
      polygon(
        [
          place(side * 268, -262, near),
          place(side * 316, -208, near),
          place(side * 316, -208, far),
          place(side * 268, -262, far),
        ],
        '#ff5a36',
      ),
    )
    .join('')
}

function drawRoad(): string {
  const dashes = spread(7, 0, 6).map((index) => {
    const near = 1.25 * 0.66 ** index
    const far = near * 0.8
    const corners = [place(-40, 270, near), place(40, 270, near), place(40, 270, far), place(-40, 270, far)]
    return polygon(corners, '#d8ff3e')
  })
  const surface = polygon([place(-400, 270, 2), place(400, 270, 2), [exitX, exitY]], '#0c0f16')
  return surface + dashes.join('')
}

export function drawUnderpass(): string {
  return [
    fadeOut('glow', [
      [0, '#f6ffd0'],
      [0.45, '#d8ff3ecc'],
      [1, '#d8ff3e00'],
    ]),
    rectangle(0, 0, coverSize, coverSize, '#07090d'),
    ...walls.map(drawArch),
    ...walls.slice(0, 5).map((_, index) => drawLamps(index)),
    drawRoad(),
    circle(exitX, exitY - 14, 130, 'url(#glow)', 0.6),
    circle(exitX, exitY - 14, 66, '#f3ffb8'),
  ].join('')
}
