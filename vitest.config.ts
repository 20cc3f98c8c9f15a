import { defineConfig } from 'vitest/config'

// One project a workspace, so that each runs in the environment its code is written for.
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'core', include: ['core/src/**/*.test.ts'] } },
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts'],
          globalSetup: ['server/test/engines.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['web/src/testing/setup.ts'],
        },
      },
      { test: { name: 'tools', include: ['tools/**/*.test.ts'] } },
      // Not part of `npm run unit`: these test the measuring tools and the demo music, see `npm run test:all`.
      { test: { name: 'bench', include: ['bench/**/*.test.ts', 'e2e/**/*.test.ts'] } },
      { test: { name: 'demo-music', include: ['demo-music/**/*.test.ts'] } },
    ],
  },
})
