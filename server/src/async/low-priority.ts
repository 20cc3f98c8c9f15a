import { getPriority, setPriority } from 'node:os'

/**
 * Lets the other threads of the process take precedence over this one. On Linux a priority belongs to a thread;
 * elsewhere it would be that of the whole process.
 */
export function lowerPriority(niceness: number): void {
  // Only root may raise a priority: that of a service with `Nice=15` stays.
  if (process.platform !== 'linux' || getPriority() >= niceness) return
  try {
    setPriority(niceness)
  } catch {
    // Some containers forbid it. The work matters more than its priority.
  }
}
