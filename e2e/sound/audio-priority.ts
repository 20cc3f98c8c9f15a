import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const lookEveryMs = 1_000
/** Processes that do nothing but sound. */
const soundProcesses = /pulseaudio|parec|AudioService/
const soundThreads = /audio/i

/**
 * Gives the sound of everything this process has started the real-time priority that a desktop gives it (there a
 * service of the session does, rtkit). Where nobody may, as without root, it stays as it is. Returns what ends it.
 */
export function prioritiseSound(): () => void {
  const done = new Set<string>()
  const timer = setInterval(() => {
    for (const thread of findSoundThreads()) {
      if (done.has(thread)) continue
      done.add(thread)
      // The lowest of the real-time priorities: above all else, and in turns among themselves.
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

function listDescendants(pid: string): string[] {
  const children = list(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean),
  )
  return children.flatMap((child) => [child, ...listDescendants(child)])
}

/** A process may end at any moment, and not every system has such a folder: then there is nothing. */
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
