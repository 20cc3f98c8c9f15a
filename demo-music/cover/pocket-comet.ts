import { createRandom } from '../signal/random.ts'
import { coverSize, rectangle } from './shapes.ts'

/** Twenty blocks a side. */
const block = 30
const head = { x: 13.5, y: 5.5, radius: 3.9 }
const tail = ['#fff2a8', '#ffd23f', '#ff9f1c', '#ff5d73', '#d6409f', '#8f3fd1', '#5a35b0']

function drawBlock(x: number, y: number, colour: string, opacity = 1): string {
  return rectangle(x * block, y * block, block + 0.4, block + 0.4, colour, opacity)
}

function drawTail(): string {
  const random = createRandom('comet')
  const blocks: string[] = []
  for (let y = 0; y < 20; y += 1) {
    for (let x = 0; x < 20; x += 1) {
      const along = (head.x - x + (y - head.y)) / Math.SQRT2
      const across = Math.abs((x - head.x + (y - head.y)) / Math.SQRT2)
      const width = 3.9 - along * 0.1
      if (along < 0 || across > width || random.next() < (along / 21) ** 1.7 * (0.4 + across / 3)) continue
      const shade = Math.min(
        tail.length - 1,
        Math.floor((along + random.between(-0.7, 0.7) + across * 0.5) / 2.5),
      )
      blocks.push(drawBlock(x, y, tail[Math.max(0, shade)] ?? '#fff'))
    }
  }
  return blocks.join('')
}

function drawHead(): string {
  const blocks: string[] = []
  for (let y = 0; y < 20; y += 1) {
    for (let x = 0; x < 20; x += 1) {
      const distance = Math.hypot(x + 0.5 - head.x - 0.5, y + 0.5 - head.y - 0.5)
      if (distance > head.radius) continue
      const lit = x - head.x - (y - head.y) > 1.6
      blocks.push(drawBlock(x, y, distance < head.radius - 1.2 ? (lit ? '#ffffff' : '#fff2a8') : '#ffd23f'))
    }
  }
  return blocks.join('')
}

export function drawPocketComet(): string {
  const random = createRandom('stars')
  const stars = Array.from({ length: 26 }, () =>
    drawBlock(
      Math.floor(random.between(0, 20)),
      Math.floor(random.between(0, 20)),
      '#6f5bd6',
      random.between(0.35, 0.9),
    ),
  )
  return [rectangle(0, 0, coverSize, coverSize, '#170c3d'), ...stars, drawTail(), drawHead()].join('')
}
