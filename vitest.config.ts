import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { makeMemoryFolder } from './tools/memory-folder.mjs'

const page = {
  environment: 'jsdom',
  setupFiles: ['web/src/testing/setup.ts'],
}
const propertySeed = ['tools/property-seed.ts']
const patience = ['tools/test-patience.ts']
/** Need modules that no other file has used: what a page makes or reads once, when it loads. */
const pageLoad = ['session', 'element-player', 'render-watch', 'auth-library'].map(
  (name) => `web/src/**/${name}.test.{ts,tsx}`,
)

// Threads and server processes of tests load the same files again and again.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'node')

const memoryFolder = makeMemoryFolder()

// One project a workspace, so that each runs in the environment its code is written for.
export default defineConfig({
  test: {
    // The files of a worker share its modules: loading them anew for each file takes longer than the tests.
    isolate: false,
    // Child processes and not threads: some tests change the user that the process runs as.
    pool: 'forks',
    // Where other programs keep the cores busy, a test takes many times as long and still passes.
    testTimeout: 150_000,
    hookTimeout: 150_000,
    teardownTimeout: 60_000,
    setupFiles: patience,
    expect: { poll: { timeout: 60_000, interval: 10 } },
    // Two more than cores: tests of the server wait for databases, timers and other processes much of their time.
    maxWorkers: availableParallelism() + 2,
    projects: [
      { extends: true, test: { name: 'core', setupFiles: propertySeed, include: ['core/src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts', 'server/test/*.test.ts'],
          setupFiles: [...propertySeed, 'server/test/cheap-hashes.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          // Not for PostgreSQL, which waits for no disk there, and whose databases are large.
          ...(memoryFolder && { env: { TMPDIR: memoryFolder } }),
        },
      },
      {
        extends: true,
        test: {
          ...page,
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          exclude: pageLoad,
        },
      },
      { extends: true, test: { ...page, name: 'web-page-load', isolate: true, include: pageLoad } },
      { extends: true, test: { name: 'tools', include: ['tools/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'provider-doubles',
          include: ['provider-doubles/src/**/*.test.ts'],
        },
      },
      // Not part of `npm run unit`: these test the measuring tools and the demo music, see `npm run test:all`.
      {
        extends: true,
        test: {
          name: 'bench',
          include: ['bench/**/*.test.ts', 'e2e/**/*.test.ts'],
        },
      },
      // Real processes that are killed, restarted and starved: `npm run faults`.
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['server/test/faults/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
      { extends: true, test: { name: 'demo-music', include: ['demo-music/**/*.test.ts'] } },
    ],
  },
})
