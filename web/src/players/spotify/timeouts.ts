import { SpotifyProblem, type SpotifyProblemFacts } from './spotify-problem.ts'

/** Rejects with a SpotifyProblem if the work takes longer than `ms`. */
export async function withTimeout<Value>(
  work: Promise<Value>,
  ms: number,
  message: string,
  facts?: SpotifyProblemFacts,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SpotifyProblem(message, facts)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
