import type { DatabaseSync } from 'node:sqlite'

/** Some 500 pages of the log. At 1,000 SQLite merges it itself, in the commit that reaches them. */
const answersPerCheckpoint = 100

/** Merges the write-ahead log into the database file between commits, so that no command waits for it. */
export interface Checkpoints {
  countAnswer(): void
  /** To be called between commits, once those before are answered. */
  mergeIfDue(): void
}

export function createCheckpoints(database: DatabaseSync): Checkpoints {
  let answers = 0

  return {
    countAnswer: () => void (answers += 1),
    mergeIfDue() {
      if (answers < answersPerCheckpoint || database.isTransaction) return
      answers = 0
      try {
        database.exec('pragma wal_checkpoint(passive)')
      } catch {
        // The disk is full or broken. Nothing is lost: the log has all commits, and the next one reports it.
      }
    },
  }
}
