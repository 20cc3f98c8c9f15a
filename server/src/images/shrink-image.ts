/** An image as red, green, blue and alpha of each pixel, row by row. */
export interface Pixels {
  width: number
  height: number
  data: Uint8ClampedArray<ArrayBuffer>
}

/** The source pixels under one target pixel, and how much of each. */
interface Span {
  first: number
  weights: number[]
}

/**
 * Shrinks an image so that its longer side is `side` at most. Each pixel is the average of the area it covers, weighted
 * by opacity. Never enlarges.
 */
export function shrinkImage(source: Pixels, side: number): Pixels {
  const scale = side / Math.max(source.width, source.height)
  if (scale >= 1) return source
  const width = Math.max(1, Math.round(source.width * scale))
  const height = Math.max(1, Math.round(source.height * scale))
  const columns = spansOf(source.width, width)
  const rows = spansOf(source.height, height)
  const data = new Uint8ClampedArray(width * height * 4)
  rows.forEach((row, y) => {
    columns.forEach((column, x) => average(source, row, column, data, (y * width + x) * 4))
  })
  return { width, height, data }
}

function spansOf(from: number, to: number): Span[] {
  return Array.from({ length: to }, (_, index) => {
    const [start, end] = [(index * from) / to, ((index + 1) * from) / to]
    const first = Math.floor(start)
    const count = Math.min(from, Math.ceil(end)) - first
    const weights = Array.from(
      { length: count },
      (_, at) => Math.min(end, first + at + 1) - Math.max(start, first + at),
    )
    return { first, weights }
  })
}

function average({ data, width }: Pixels, row: Span, column: Span, target: Uint8ClampedArray, at: number) {
  let [red, green, blue, alpha, area] = [0, 0, 0, 0, 0]
  for (let y = 0; y < row.weights.length; y += 1) {
    let from = ((row.first + y) * width + column.first) * 4
    for (let x = 0; x < column.weights.length; x += 1, from += 4) {
      const weight = (row.weights[y] ?? 0) * (column.weights[x] ?? 0)
      const opacity = weight * (data[from + 3] ?? 0)
      red += opacity * (data[from] ?? 0)
      green += opacity * (data[from + 1] ?? 0)
      blue += opacity * (data[from + 2] ?? 0)
      alpha += opacity
      area += weight
    }
  }
  if (alpha > 0) {
    target[at] = red / alpha
    target[at + 1] = green / alpha
    target[at + 2] = blue / alpha
  }
  target[at + 3] = alpha / area
}
