import { circle, coverSize, path, rectangle } from './shapes.ts'

const cell = 100

const colours: Record<string, string> = {
  d: '#0b3b36',
  g: '#17745a',
  m: '#8fd9a8',
  c: '#f7efd8',
  a: '#f5a623',
  r: '#e8563f',
}

/**
 * One pane a row and column: ground colour, leaf colour, and the corner the leaf grows from (1 top left, clockwise).
 * The middle is left to the sun.
 */
const panes = [
  ['dg3', 'gm4', 'dm3', 'gd2', 'dg4', 'mg3'],
  ['gm2', 'mc3', 'cg1', 'ga2', 'md1', 'gm4'],
  ['dm1', 'ac4', '   ', '   ', 'gm3', 'dg2'],
  ['mg3', 'gd1', '   ', '   ', 'ca2', 'gm1'],
  ['gd4', 'cm2', 'dg1', 'mg4', 'gc1', 'dr3'],
  ['dg1', 'gm1', 'mr4', 'dg2', 'gm2', 'gd4'],
]

function drawPane(pane: string, x: number, y: number): string {
  const ground = colours[pane.slice(0, 1)]
  const leaf = colours[pane.slice(1, 2)]
  if (!ground || !leaf) return ''
  const corner = Number(pane.slice(2))
  const left = corner === 1 || corner === 4 ? x : x + cell
  const top = corner <= 2 ? y : y + cell
  const acrossX = left === x ? x + cell : x
  const acrossY = top === y ? y + cell : y
  const sweep = corner % 2 === 1 ? 1 : 0
  const data = `M${left} ${top}L${acrossX} ${top}A${cell} ${cell} 0 0 ${sweep} ${left} ${acrossY}Z`
  return rectangle(x, y, cell + 0.5, cell + 0.5, ground) + path(data, leaf)
}

export function drawGlasshouse(): string {
  return [
    rectangle(0, 0, coverSize, coverSize, '#0b3b36'),
    ...panes.flatMap((row, y) => row.map((pane, x) => drawPane(pane, x * cell, y * cell))),
    circle(300, 300, 142, '#0b3b36'),
    circle(300, 300, 122, '#f5a623'),
    path('M178 300A122 122 0 0 0 422 300Z', '#e8563f'),
    circle(300, 300, 58, '#f7efd8'),
  ].join('')
}
