/** Covers are drawn on a square of this many units. */
export const coverSize = 600

export type Point = readonly [x: number, y: number]

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}

export function circle(x: number, y: number, radius: number, fill: string, opacity = 1): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${fill}" opacity="${opacity}"/>`
}

export function rectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  opacity = 1,
): string {
  return (
    `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ` +
    `fill="${fill}" opacity="${opacity}"/>`
  )
}

export function polygon(points: readonly Point[], fill: string, opacity = 1): string {
  const corners = points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')
  return `<polygon points="${corners}" fill="${fill}" opacity="${opacity}"/>`
}

export function path(data: string, fill: string, opacity = 1): string {
  return `<path d="${data}" fill="${fill}" opacity="${opacity}"/>`
}

export function stroke(points: readonly Point[], width: number, colour: string, opacity = 1): string {
  const data = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
  return (
    `<path d="${data}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" ` +
    `stroke-linejoin="round" opacity="${opacity}"/>`
  )
}

/** Shares of the way (0..1) and the colours there. */
export type ColourStops = readonly (readonly [at: number, colour: string])[]

function listStops(colours: ColourStops): string {
  return colours.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join('')
}

/** To fill with `url(#id)`: from top to bottom of what is filled, or of the picture down to `bottom`. */
export function fadeDown(id: string, colours: ColourStops, bottom?: number): string {
  const span = bottom === undefined ? 'y2="1"' : `y2="${bottom}" gradientUnits="userSpaceOnUse"`
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" ${span}>${listStops(colours)}</linearGradient>`
}

/** To fill with `url(#id)`: from the middle of what is filled to its edge. */
export function fadeOut(id: string, colours: ColourStops): string {
  return `<radialGradient id="${id}">${listStops(colours)}</radialGradient>`
}

/** Draws `content` only inside of `shape`. */
export function clip(id: string, shape: string, content: string): string {
  return `<clipPath id="${id}">${shape}</clipPath><g clip-path="url(#${id})">${content}</g>`
}

/** Evenly spaced numbers from `from` to `to`, both included. */
export function spread(count: number, from: number, to: number): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * index) / Math.max(1, count - 1))
}

/** The finished picture: all covers of the series share a fine grain. */
export function frameCover(content: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${coverSize}" height="${coverSize}" ` +
    `viewBox="0 0 ${coverSize} ${coverSize}">` +
    '<filter id="grain" x="0" y="0" width="100%" height="100%">' +
    '<feTurbulence type="fractalNoise" baseFrequency="0.8" numOctaves="2" seed="7"/>' +
    '<feColorMatrix values="0 0 0 0 0.5  0 0 0 0 0.5  0 0 0 0 0.5  0.9 0 0 0 -0.32"/></filter>' +
    `${content}<rect width="${coverSize}" height="${coverSize}" filter="url(#grain)" opacity="0.22" ` +
    'style="mix-blend-mode:overlay"/></svg>'
  )
}
