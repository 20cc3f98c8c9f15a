import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../folders.ts'
import { ask } from '../ask.ts'
import { runServer } from '../children/run-server.ts'

const root = join(import.meta.dirname, '..', '..', '..')

it(
  '16.53 a staged release holds what runs, and no test or build tool, and its server starts',
  { timeout: 600_000 },
  async () => {
    const folder = await makeFolder()
    execFileSync(process.execPath, [join(root, 'tools/package/stage.mjs'), folder, '--without-node'])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const needless = /\.test\.ts$|node_modules\/(vite|vitest|typescript|react)$/
    expect(files.filter((path) => needless.test(path))).toEqual([])
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
    expect(links.filter((path) => !existsSync(join(folder, path)))).toEqual([])
    const { address } = await runServer(
      { DATA_DIR: await makeFolder() },
      join(folder, 'server', 'src', 'main.ts'),
    )
    const page = await ask(address)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<title>') })
    expect((await ask(`${address}/readyz`)).status).toBe(200)
  },
)
