import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const lookEveryMs = 1_000
/** Processes that only handle sound. */
const soundProcesses = /pulseaudio|parec|AudioService|device-clocks/
/** Also PulseAudio's thread in WebKit. */
const soundThreads = /audio|threaded-ml/i

/**
 * Gives the audio threads of all child processes real-time priority, as rtkit does on a desktop. Without the permission
 * (root) their priority stays. Returns a function that stops it.
 */
export function prioritiseSound(): () => void {
  const done = new Set<string>()
  const timer = setInterval(() => {
    for (const thread of findSoundThreads()) {
      if (done.has(thread)) continue
      done.add(thread)
      // The lowest real-time priority: above all other threads, round-robin among themselves.
      run('chrt', ['--rr', '--pid', '1', thread]).catch(() => undefined)
    }
  }, lookEveryMs)
  return () => clearInterval(timer)
}

function findSoundThreads(): string[] {
  return listDescendants(String(process.pid)).flatMap((pid) => {
    const threads = list(`/proc/${pid}/task`)
    if (soundProcesses.test(read(`/proc/${pid}/cmdline`))) return threads
    return threads.filter((thread) => soundThreads.test(read(`/proc/${pid}/task/${thread}/comm`)))
  })
}

/** Lists what a process has started, and what that has. */
export function listDescendants(pid: string): string[] {
  const children = list(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean),
  )
  return children.flatMap((child) => [child, ...listDescendants(child)])
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
