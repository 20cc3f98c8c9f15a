import { SpotifyProblem } from './spotify-problem.ts'

/** Resolves after some ms; at once where they are negative. */
export const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))

/** Rejects with a SpotifyProblem if the work takes longer than `ms`. */
export async function withTimeout<Value>(work: Promise<Value>, ms: number, message: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SpotifyProblem(message)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
