import { circle, clip, coverSize, path, rectangle, spread, stroke } from './shapes.ts'
import type { Point } from './shapes.ts'

const cream = '#f4e3c8'
const plum = '#3a1c32'
const clay = '#d9603b'
const rose = '#f0a07c'

/** A band of steam that sways as it rises. */
function steam(x: number, phase: number, top: number): Point[] {
  return spread(60, 418, top).map((y) => {
    const height = (418 - y) / 400
    return [x + (16 + 34 * height) * Math.sin(phase + height * 8.2), y] as const
  })
}

function drawSteam(outside: string): string {
  return [
    stroke(steam(212, 0, 120), 34, outside),
    stroke(steam(300, 0.9, 44), 34, outside),
    stroke(steam(388, 1.8, 150), 34, outside),
  ].join('')
}

export function drawKettleAtThree(): string {
  const moon = circle(330, 232, 178, clay)
  return [
    rectangle(0, 0, coverSize, coverSize, plum),
    moon,
    drawSteam(rose),
    clip('moon', circle(330, 232, 178, '#fff'), drawSteam(cream)),
    rectangle(0, 520, coverSize, 80, clay),
    stroke(
      spread(30, -1.45, 2.4).map(
        (angle) => [462 + 54 * Math.cos(angle), 458 + 44 * Math.sin(angle)] as const,
      ),
      24,
      '#e4c9a2',
    ),
    path('M130 408H470V420A170 124 0 0 1 300 540A170 124 0 0 1 130 420Z', cream),
    path('M300 408H470V420A170 124 0 0 1 300 540Z', '#e4c9a2'),
    rectangle(120, 396, 360, 24, '#fff6e6'),
    rectangle(190, 534, 220, 14, plum),
  ].join('')
}
