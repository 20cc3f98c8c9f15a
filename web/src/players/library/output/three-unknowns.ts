/** Weighted linear least squares with three unknowns, of which one row is added at a time. */
export type Row = readonly [number, number, number]

/** The sums of the rows' products with each other and with their values, and of the values' squares, each by its weight. */
export interface Sums {
  products: readonly [Row, Row, Row]
  values: Row
  squares: number
  rows: number
}

/** Adds a row and its value of a variance. */
export function addRow(
  { products, values, squares, rows }: Sums,
  row: Row,
  value: number,
  variance: number,
): Sums {
  const addTo = (sums: Row, factor: number): Row => [
    sums[0] + (factor * row[0]) / variance,
    sums[1] + (factor * row[1]) / variance,
    sums[2] + (factor * row[2]) / variance,
  ]
  return {
    products: [addTo(products[0], row[0]), addTo(products[1], row[1]), addTo(products[2], row[2])],
    values: addTo(values, value),
    squares: squares + value ** 2 / variance,
    rows: rows + 1,
  }
}

/**
 * Returns the unknowns, by Cramer's rule, the variance of what they make of another row, and the mean square of what they do
 * not explain, in units of the rows' variance.
 */
export function solve({ products: [a, b, c], values, squares, rows }: Sums): {
  solution: Row
  varianceOf: (row: Row) => number
  unexplained: number
} {
  const [first, second, third] = [cross(b, c), cross(c, a), cross(a, b)]
  const determinant = dot(a, first)
  // The products are symmetric, and so is their inverse.
  const invert = (row: Row): Row => [
    dot(first, row) / determinant,
    dot(second, row) / determinant,
    dot(third, row) / determinant,
  ]
  const solution = invert(values)
  const unexplained = Math.max(0, squares - dot(values, solution)) / Math.max(1, rows)
  return { solution, varianceOf: (row) => dot(row, invert(row)), unexplained }
}

export const dot = (a: Row, b: Row): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

const cross = (a: Row, b: Row): Row => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
