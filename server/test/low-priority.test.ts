import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeDataFolder } from './databases.ts'
import { makeFolder } from './folders.ts'
import { writeOldTrack } from './music.ts'

const server = join(import.meta.dirname, '..')

/** As a service with `Nice=11`, and without the right to raise priorities, which root has. */
const asUser = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-sys_nice', '--inh-caps=-sys_nice'] : []

it.runIf(process.platform === 'linux')(
  '15.81 a server that runs at a low priority, and may not raise it, scans its music',
  // It gets a few per cent of a busy machine.
  { timeout: 600_000 },
  async () => {
    const [DATA_DIR, MUSIC_DIR] = [await makeDataFolder(), await makeFolder()]
    await writeOldTrack(MUSIC_DIR, 'one.wav')
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
    const command = [...asUser, 'nice', '-n', '11', process.execPath, '--disable-warning=ExperimentalWarning']
    const child = spawn(command[0]!, [...command.slice(1), 'src/main.ts'], {
      cwd: server,
      env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', DATA_DIR, MUSIC_DIR },
    })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await once(child, 'close')
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await vi.waitFor(() => expect(output).toContain('Library scan completed'), { timeout: 540_000 })
    expect(output).toContain('"storedCount":1')
    expect(output).not.toMatch(/"level":[56]0/)
  },
)
