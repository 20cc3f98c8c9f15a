import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Imports by the files that have them. */
type Imports = Record<string, string[]>

const allowed: Imports = {
  'core/src/room/queue.ts': ['../sync/timeline.ts'],
  'server/src/http/server.ts': ['../rooms/rooms.ts', 'fastify'],
  'web/src/engine/runtime.ts': ['../players/slot.ts', '../realtime/clock.ts'],
  'web/src/features/home/page.tsx': ['../../engine/runtime.ts', './list/list.tsx'],
  'web/src/features/login/page.tsx': ['../../api/door/login.ts'],
  'web/src/features/room/chat/chat.tsx': ['../use-room.ts', '../../../texts/settings.ts'],
  'web/src/features/room/page.tsx': ['./chat/chat.tsx', './settings/settings.tsx'],
  'web/src/features/room/find-music/library/page.tsx': ['../search.tsx', '../library/list.tsx'],
  'web/src/players/slot.ts': ['./library/player.ts', './youtube/player.ts'],
  'web/src/players/library/decoding/decoder.ts': ['../output/clock.ts', '../../../timing.ts'],
  'web/src/testing/render.tsx': ['../features/room/use-room.ts'],
}

const refused: Imports = {
  'core/src/sync/lead.ts': ['../room/queue.ts'],
  'server/src/db/rooms.ts': ['../rooms/rooms.ts'],
  'server/src/rooms/rooms.ts': ['../realtime/gateway.ts', 'fastify'],
  'web/src/api/calls.ts': ['../features/home/page.tsx', '../realtime/clock.ts'],
  'web/src/engine/loop.ts': ['react', '../texts/home.ts', '../features/room/page.tsx'],
  'web/src/features/home/list/list.tsx': ['../../login/page.tsx', '../../../features/login/page.tsx'],
  'web/src/features/login/form.tsx': ['../home/page.tsx', '../../players/slot.ts', '../../app.tsx'],
  'web/src/features/room/find-music/library/list.tsx': ['../../chat/chat.tsx', '../../../login/page.tsx'],
  'web/src/features/room/settings/settings.tsx': ['../chat/chat.tsx', '../../home/page.tsx'],
  'web/src/players/library/player.ts': ['../youtube/player.ts', '../../realtime/clock.ts'],
  'web/src/players/provider-frame.ts': ['../engine/loop.ts', '../realtime/clock.ts'],
  'web/src/players/youtube/player.ts': ['../library/player.ts'],
  'web/src/realtime/clock.ts': ['../players/slot.ts'],
  'web/src/ui/button.tsx': ['../players/slot.ts', '../realtime/clock.ts'],
}

const list = (imports: Imports): string[] =>
  Object.entries(imports).flatMap(([path, names]) => names.map((name) => `${path}: '${name}'`))

/** Lints files that only have these imports, in folders like ours. Returns the refused ones. */
function lint(imports: Imports): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-imports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  copyFileSync(join(root, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, names] of Object.entries(imports)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), names.map((name) => `import '${name}'\n`).join(''))
  }
  const only = ['--allow', 'all', '--deny', 'no-restricted-imports']
  const args = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', ...only]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; message: string }[] }
  return diagnostics.map(({ filename, message }) => `${filename}: ${message.replace(/ import is .*/, '')}`)
}

it('lint refuses imports of a layer above, of another feature, part of the room or player', () => {
  expect(lint({ ...allowed, ...refused }).toSorted()).toEqual(list(refused).toSorted())
})
