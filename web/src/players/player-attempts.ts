import type { PlayerKind } from '@earshot/core/protocol/sync-report'

/** Attempts for the kind of player that is needed, until one succeeds. */
interface PlayerAttempts {
  kind(): PlayerKind | null
  /** Ends the attempts for another kind, and begins with this one. */
  setKind(kind: PlayerKind | null): void
}

/** A connection that drops for a moment is not worth a notice. */
const failingAfter = 2

/**
 * Runs a task for a kind of player, again after a failure: after `firstMs`, and then each time after twice as long, at
 * most `longestMs`. `onFailingChange` is called at the second failure in a row, and when it succeeds or is no longer needed.
 */
export function createPlayerAttempts(
  task: (kind: PlayerKind) => Promise<unknown>,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
  onFailingChange: (isFailing: boolean) => void = () => undefined,
): PlayerAttempts {
  let latest: { kind: PlayerKind | null } = { kind: null }
  let timer: ReturnType<typeof setTimeout> | undefined

  let isFailing = false
  const setFailing = (next: boolean): void => {
    if (next !== isFailing) onFailingChange(next)
    isFailing = next
  }

  const attempt = (own: { kind: PlayerKind }, failures: number): void => {
    task(own.kind).then(
      () => {
        if (latest === own) setFailing(false)
      },
      () => {
        if (latest !== own) return
        timer = setTimeout(() => attempt(own, failures + 1), Math.min(firstMs * 2 ** failures, longestMs))
        setFailing(failures + 1 >= failingAfter)
      },
    )
  }
  return {
    kind: () => latest.kind,
    setKind(kind) {
      if (kind === latest.kind) return
      clearTimeout(timer)
      setFailing(false)
      if (kind === null) return void (latest = { kind })
      const own = { kind }
      latest = own
      attempt(own, 0)
    },
  }
}
