import { circle, coverSize, fadeDown, path, rectangle, spread, stroke } from './shapes.ts'

const tones = ['#5fd0c5', '#36aeb3', '#1f8a9e', '#166884', '#114b69', '#0d334f', '#081f36']

/** The sea is layers of long waves, higher and wider the nearer they are. */
function crestAt(index: number, x: number): number {
  const length = 210 + 44 * index
  return 292 + 44 * index + (12 + 6 * index) * Math.sin((2 * Math.PI * x) / length + index * 1.9)
}

function drawWave(index: number): string {
  const crest = spread(61, 0, coverSize).map((x) => `L${Math.round(x)} ${crestAt(index, x).toFixed(1)}`)
  return path(`M0 ${coverSize}${crest.join('')}L${coverSize} ${coverSize}Z`, tones[index] ?? '#000')
}

/** The moon's light on the water, broken by the waves. */
function drawReflection(index: number): string {
  const width = 150 - 24 * index
  const x = 300 + (index % 2 === 0 ? -10 : 10)
  const dashes = [16, 32].map((below, row) => {
    const from = x - width / (2 + row)
    const points = spread(24, from, 2 * x - from).map((at) => [at, crestAt(index, at) + below] as const)
    return stroke(points, 7, '#fff3d6', 0.95 - 0.1 * index)
  })
  return dashes.join('')
}

export function drawTidalRoom(): string {
  return [
    fadeDown('dusk', [
      [0, '#0b2545'],
      [0.35, '#3d6d94'],
      [0.55, '#f3c9a5'],
    ]),
    rectangle(0, 0, coverSize, coverSize, 'url(#dusk)'),
    circle(300, 212, 168, '#fff3d6', 0.14),
    circle(300, 212, 138, '#fff3d6', 0.22),
    circle(300, 212, 106, '#fff3d6'),
    ...tones.map((_, index) => drawWave(index) + (index < 5 ? drawReflection(index) : '')),
  ].join('')
}
