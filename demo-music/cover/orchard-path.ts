import { circle, clip, coverSize, fadeDown, path, rectangle } from './shapes.ts'

/** A round tree with its shaded half, on a short trunk. */
function drawTree(x: number, y: number, radius: number, light: string, shade: string): string {
  return [
    rectangle(x - radius * 0.09, y, radius * 0.18, radius * 1.5, '#5b3a1e'),
    circle(x, y, radius, light),
    path(`M${x} ${y - radius}A${radius} ${radius} 0 0 1 ${x} ${y + radius}Z`, shade),
    circle(x - radius * 0.35, y + radius * 0.1, radius * 0.12, '#e4402f'),
    circle(x - radius * 0.05, y - radius * 0.42, radius * 0.12, '#e4402f'),
    circle(x + radius * 0.42, y + radius * 0.3, radius * 0.12, '#e4402f'),
  ].join('')
}

export function drawOrchardPath(): string {
  return [
    fadeDown('morning', [
      [0, '#ffb648'],
      [0.55, '#ffe7a3'],
    ]),
    rectangle(0, 0, coverSize, coverSize, 'url(#morning)'),
    circle(300, 176, 172, '#fff3c4', 0.5),
    circle(300, 176, 124, '#ff7a3d'),
    circle(-10, 700, 400, '#8fbf4d'),
    circle(600, 720, 420, '#5f9f43'),
    drawTree(84, 318, 40, '#4f9a41', '#3a7d38'),
    drawTree(500, 308, 44, '#7fbf4a', '#5a9a3c'),
    clip(
      'field',
      rectangle(0, 300, coverSize, 300, '#fff'),
      circle(300, 1010, 640, '#2f7a4b') +
        path(
          'M286 372C340 420 180 450 236 500C280 545 120 560 60 640H420C470 570 400 540 380 506C340 450 372 420 314 372Z',
          '#fbe6b0',
        ),
    ),
    drawTree(150, 440, 66, '#6fb24a', '#4d9140'),
    drawTree(470, 430, 78, '#8ccf55', '#5fa544'),
  ].join('')
}
