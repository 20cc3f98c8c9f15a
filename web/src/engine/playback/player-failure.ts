/** Whether the player failed, and why. */
export interface PlayerFailure {
  /** The message of the latest error; null once the player works again. */
  message(): string | null
  /** Notes an error and requests another attempt after 5 s. */
  fail(message: string): void
  /** The player has its track. */
  recover(): void
  /** The player is another one, or is needed no more: cancels the attempt. */
  reset(): void
}

const retryMs = 5_000

/** `onChange` is called when the player fails and when it works again. */
export function createPlayerFailure(parts: {
  onChange: (hasFailed: boolean) => void
  onRetry: () => void
}): PlayerFailure {
  let message: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const set = (next: string | null): void => {
    const hasChanged = (message === null) !== (next === null)
    message = next
    if (hasChanged) parts.onChange(next !== null)
  }
  return {
    message: () => message,
    fail(reason) {
      clearTimeout(timer)
      timer = setTimeout(parts.onRetry, retryMs)
      set(reason)
    },
    recover: () => set(null),
    reset() {
      clearTimeout(timer)
      set(null)
    },
  }
}
