/**
 * Tag for texts with names in them: isolates each value, so that one in another script keeps its punctuation and does not
 * reorder the sentence around it.
 */
export const isolate = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  texts.reduce((text, next, index) => `${text}\u2068${values[index - 1]}\u2069${next}`)

/** A duration in milliseconds, read from left to right. */
export const inMs = (ms: number | string): string => isolate`${`${ms} ms`}`
