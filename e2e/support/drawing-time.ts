import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  id: number
  parentId: number
}

/**
 * Reads the processor time that the browsers of this test process have spent since their start on pages and pictures, in
 * ms: their pages' main threads, compositors and rasterisers, and the process that draws. Not the sound.
 */
export function readDrawingMs(): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess)
  const own = [process.pid]
  for (const id of own)
    own.push(...processes.filter(({ parentId }) => parentId === id).map((each) => each.id))
  return own.filter(draws).reduce((sum, id) => sum + readThreadsMs(id), 0)
}

const draws = (id: number): boolean => /--type=(renderer|gpu-process)\b/.test(read(`/proc/${id}/cmdline`))

function readProcess(name: string): Process[] {
  const stat = read(`/proc/${name}/stat`)
  return stat === '' ? [] : [{ id: Number(name), parentId: Number(fieldsOf(stat)[1]) }]
}

function readThreadsMs(id: number): number {
  const threads = readdirSync(`/proc/${id}/task`).map((thread) => `/proc/${id}/task/${thread}`)
  return threads
    .filter((thread) => !read(`${thread}/comm`).startsWith('Audio'))
    .reduce((sum, thread) => sum + Number(read(`${thread}/schedstat`).split(' ')[0]) / 1e6, 0)
}

/** The fields after the name, which may hold spaces: state, parent, ... */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
