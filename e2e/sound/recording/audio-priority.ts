import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Short, because the first second of a page is recorded too. */
const lookEveryMs = 200
/** How often the name of a thread is read: for a moment a new one has that of the thread that started it. */
const maxLooks = 2
/** Processes that only handle sound. */
const soundProcesses = /pulseaudio|parec|AudioService|device-clocks/
/** Also PulseAudio's thread in WebKit. */
const soundThreads = /audio|threaded-ml/i

/**
 * Gives the audio threads of all child processes real-time priority, as rtkit does on a desktop. Without the permission
 * (root) their priority stays. Returns a function that stops it.
 */
export function prioritiseSound(): () => void {
  const looks = new Map<string, number>()
  const timer = setInterval(() => {
    for (const pid of listDescendants(String(process.pid))) {
      for (const thread of list(`/proc/${pid}/task`)) {
        const count = (looks.get(thread) ?? 0) + 1
        if (count > maxLooks) continue
        looks.set(thread, count)
        if (!handlesSound(pid, thread)) continue
        looks.set(thread, maxLooks)
        // The lowest real-time priority: above all other threads, round-robin among themselves.
        run('chrt', ['--rr', '--pid', '1', thread]).catch(() => undefined)
      }
    }
  }, lookEveryMs)
  return () => clearInterval(timer)
}

function handlesSound(pid: string, thread: string): boolean {
  return (
    soundThreads.test(read(`/proc/${pid}/task/${thread}/comm`)) ||
    soundProcesses.test(read(`/proc/${pid}/cmdline`))
  )
}

/** Lists what a process has started, and what that has. */
export function listDescendants(pid: string): string[] {
  const started = Map.groupBy(
    list('/proc').filter((name) => /^\d+$/.test(name)),
    parentOf,
  )
  const below = (parent: string): string[] =>
    (started.get(parent) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

/** Empty where the process has ended. The field follows the state, after the name, which may contain anything. */
function parentOf(pid: string): string {
  return /^.*\) \S (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1] ?? ''
}

/** Empty where the process has ended or the system has no such folder. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
