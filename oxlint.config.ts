import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { defineConfig, type OxlintOverride } from 'oxlint'

/** Imports by patterns as in `.gitignore`, or by a regular expression of Rust. */
type Forbidden = { message: string } & ({ group: string[] } | { regex: string })

/** Forbids imports. Where several overrides match a file, only the last one counts. */
const forbid = (files: string[], ...patterns: Forbidden[]): OxlintOverride => ({
  files,
  rules: { 'eslint/no-restricted-imports': ['error', { patterns }] },
})

const foldersIn = (path: string): string[] =>
  readdirSync(join(import.meta.dirname, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => `${path}/${name}`)

/** The imports by which a folder's files would reach its neighbours, from any depth. */
function neighboursOf(folder: string, message: string): Forbidden {
  const parent = dirname(folder)
  const others = foldersIn(parent).filter((other) => other !== folder)
  const names = others.map((other) => basename(other)).join('|')
  return { regex: `^(\\.\\./)+(${basename(parent)}/)?(${names})/`, message }
}

const core = [
  forbid(['core/src/protocol/**', 'core/src/limits.ts', 'core/src/clock.ts', 'core/src/statistics.ts'], {
    group: ['@earshot/*', '**/sync/**', '**/room/**', '**/machines/**', '**/diagnosis/**'],
    message: 'protocol and limits are below everything else in core',
  }),
  forbid(['core/src/sync/**'], {
    group: ['@earshot/*', '**/room/**', '**/machines/**', '**/diagnosis/**'],
    message: 'sync imports protocol and limits only',
  }),
  forbid(['core/src/room/**'], {
    group: ['@earshot/*', '**/machines/**', '**/diagnosis/**'],
    message: 'room imports sync, protocol and limits',
  }),
  forbid(['core/src/machines/**'], {
    group: ['@earshot/*', '**/room/**', '**/diagnosis/**'],
    message: 'machines import sync, protocol and limits',
  }),
]

/** Of the server: the page, and the files that build everything. */
const aboveServer = ['@earshot/web*', '**/web/**', '**/compose/**', '**/main.ts', '**/start-server.ts']
const sockets = ['**/realtime/**', '**/http/**', 'socket.io', 'fastify']
const serverParts = ['rooms', 'presence', 'sync-reports', 'auth', 'providers', 'library', 'mail']
const inServer = (folders: string[]): string[] => folders.map((folder) => `server/src/${folder}/**`)

const server = [
  forbid(inServer(['db', 'async']), {
    group: [
      ...aboveServer,
      ...sockets,
      ...[...serverParts, 'limits', 'ops'].map((folder) => `**/${folder}/**`),
    ],
    message: 'db and async are the lowest layers of the server',
  }),
  forbid(inServer(serverParts), {
    group: [...aboveServer, ...sockets],
    message: 'these parts know neither sockets nor HTTP',
  }),
  forbid(inServer(['realtime', 'http', 'limits', 'ops']), {
    group: aboveServer,
    message: 'only the composition root builds parts',
  }),
]

/** Of the page: the server, and the files that draw everything. */
const abovePage = ['@earshot/server*', '**/app.tsx', '**/routes.tsx']
const belowEngine = { group: [...abovePage, '**/features/**', '**/engine/**'], message: 'below the engine' }
const belowPlayers = { group: ['**/players/**'], message: 'below the players' }
const noRealtime = { group: ['**/realtime/**'], message: 'only the engine imports realtime' }

const inFeature = (feature: string): Forbidden[] => [
  { group: abovePage, message: 'below the app' },
  {
    group: ['**/players/**', '**/realtime/**'],
    message: 'players and realtime are reached through the engine',
  },
  neighboursOf(feature, 'features never import each other'),
]
const room = 'web/src/features/room'

const page = [
  forbid(['web/src/api/**', 'web/src/ui/**'], belowEngine, belowPlayers, noRealtime),
  forbid(['web/src/realtime/**'], belowEngine, belowPlayers),
  forbid(['web/src/players/**'], belowEngine, noRealtime),
  ...foldersIn('web/src/players').map((source) => {
    const others = neighboursOf(source, 'players of different sources never import each other')
    return forbid([`${source}/**`], belowEngine, noRealtime, others)
  }),
  forbid(['web/src/engine/**'], {
    group: [
      ...abovePage,
      '**/features/**',
      '**/ui/**',
      '**/texts/**',
      'react',
      'react-dom',
      'react-router',
      'react/*',
    ],
    message: 'the engine has no React and no texts',
  }),
  ...foldersIn('web/src/features').map((feature) => forbid([`${feature}/**`], ...inFeature(feature))),
  ...foldersIn(room).map((part) => {
    const others = neighboursOf(part, 'the parts of the room never import each other')
    return forbid([`${part}/**`], ...inFeature(room), others)
  }),
]

export default defineConfig({
  plugins: ['import', 'typescript', 'unicorn', 'react', 'jsx-a11y', 'vitest', 'promise'],
  categories: { correctness: 'error', suspicious: 'off' },
  ignorePatterns: ['**/node_modules/**', '**/dist/**', 'music/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'import/no-self-import': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/consistent-type-imports': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/ban-ts-comment': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'eslint/eqeqeq': 'error',
    'eslint/no-console': 'error',
    'eslint/prefer-const': 'error',
    'eslint/no-var': 'error',
    'eslint/max-lines': ['error', { max: 300 }],
    'eslint/max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
  },
  overrides: [
    { files: ['**/*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['**/*.test.ts', '**/*.test.tsx', '**/testing/**', 'e2e/**', 'server/test/**'],
      rules: { 'eslint/max-lines-per-function': 'off', 'typescript/no-non-null-assertion': 'off' },
    },
    {
      files: ['tools/**', 'demo-music/**', 'bench/**', 'e2e/**', 'server/src/main.ts'],
      rules: { 'eslint/no-console': 'off' },
    },
    {
      files: ['server/src/db/migrations/**'],
      rules: { 'eslint/max-lines': 'off', 'eslint/max-lines-per-function': 'off' },
    },
    {
      files: ['core/src/**'],
      rules: {
        'eslint/no-restricted-globals': [
          'error',
          'Date',
          'setTimeout',
          'setInterval',
          'fetch',
          'performance',
          'process',
          'window',
          'document',
          'crypto',
          'queueMicrotask',
        ],
        'eslint/no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
      },
    },
    {
      files: ['core/src/testing/**', 'core/src/**/*.test.ts'],
      rules: { 'eslint/no-restricted-globals': 'off' },
    },
    ...core,
    ...server,
    {
      files: ['web/src/**'],
      rules: {
        'eslint/no-restricted-globals': ['error', 'localStorage', 'sessionStorage'],
        'eslint/no-restricted-properties': [
          'error',
          { object: 'AbortSignal', property: 'any', message: 'not in browsers of spring 2023' },
          { object: 'URL', property: 'canParse', message: 'not in browsers of spring 2023' },
          { object: 'URL', property: 'parse', message: 'not in browsers of spring 2023' },
        ],
      },
    },
    {
      files: ['web/src/storage.ts', 'web/src/**/*.test.ts', 'web/src/**/*.test.tsx', 'web/src/testing/**'],
      rules: { 'eslint/no-restricted-globals': 'off' },
    },
    ...page,
  ],
})
