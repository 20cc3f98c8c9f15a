/** Whether the player failed, and why. */
export interface PlayerFailure {
  /** The message of the latest error; null once the player works again. */
  message(): string | null
  /** Notes an error and requests another attempt after 5 s. `retryAtMs`: when one can succeed; null if unknown. */
  fail(message: string, retryAtMs?: number | null): void
  /** A track is loaded: cancels the attempt. */
  cancelRetry(): void
  /** The player has its track, is another one, or is needed no more. */
  recover(): void
}

const retryMs = 5_000

/** `onChange` is called when the player fails, until another time than before, and when it works again. */
export function createPlayerFailure(parts: {
  onChange: (hasFailed: boolean, retryAtMs: number | null) => void
  onRetry: () => void
}): PlayerFailure {
  let message: string | null = null
  let retryAtMs: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const set = (next: string | null, nextRetryAtMs: number | null = null): void => {
    const hasChanged = (message === null) !== (next === null) || retryAtMs !== nextRetryAtMs
    message = next
    retryAtMs = nextRetryAtMs
    if (hasChanged) parts.onChange(next !== null, retryAtMs)
  }
  return {
    message: () => message,
    fail(reason, refusedUntilMs = null) {
      clearTimeout(timer)
      timer = setTimeout(parts.onRetry, retryMs)
      set(reason, refusedUntilMs)
    },
    cancelRetry: () => clearTimeout(timer),
    recover() {
      clearTimeout(timer)
      set(null)
    },
  }
}
