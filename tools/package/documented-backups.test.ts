import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { nameDatabase, runStatement, startPostgres } from '../../server/test/postgres.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-backups-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function writeScript(path: string, lines: string[]): void {
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
}

/** Returns the blocks of code in a section of docs/operating.md. */
function readBlocks(title: string): string[] {
  const section = read('docs/operating.md').split(`${title}\n`)[1]?.split(/^##/m)[0] ?? ''
  return [...section.matchAll(/^ *```\w+\n([^]*?)^ *```$/gm)].map(([, block = '']) => block)
}

function run(script: string, env: Record<string, string>, cwd: string): void {
  const ran = spawnSync('/bin/sh', ['-e', '-c', script], { env, cwd, encoding: 'utf8' })
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' })
}

it('16.215 the documented commands copy the database of compose.cluster.yaml and put the copy in its place', async () => {
  const [copy = '', back = ''] = readBlocks('### With compose.cluster.yaml')
  const { services } = parse(read('compose.cluster.yaml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string> }>
  }
  expect(services['postgres']?.environment).toMatchObject({
    POSTGRES_USER: 'earshot',
    POSTGRES_DB: 'earshot',
  })
  for (const [, name = ''] of (copy + back).matchAll(/(?:exec -T|stop) ([\w-]+)/g))
    expect(services).toHaveProperty(name)

  const engine = await startPostgres()
  onTestFinished(() => engine.stop())
  const url = nameDatabase(engine.url, 'earshot')
  await runStatement(engine.url, 'create database earshot')
  await runStatement(url, "create table rooms as select 'before' as name")
  const folder = makeFolder()
  // Runs the command in this machine's database instead of a container's: compose -f FILE exec -T SERVICE COMMAND.
  writeScript(join(folder, 'docker'), ['[ "$4" = exec ] || exit 0', 'shift 6', 'exec "$@"'])
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    PGHOST: '127.0.0.1',
    PGPORT: new URL(engine.url).port,
  }
  run(copy, env, folder)
  await runStatement(url, "update rooms set name = 'after'")
  run(back, env, folder)
  const assert = (name: string) => `do $$ begin assert (select name from rooms) = '${name}'; end $$`
  await runStatement(url, assert('before'))
  await runStatement(nameDatabase(engine.url, 'before'), assert('after'))
})

it('16.216 the nightly backup is made with settings that a shell would not understand, twice on one day, and replaces old ones', async () => {
  const unit = read('deploy/earshot-backup.service')
  const [data, settings] = [/^Environment=(DATA_DIR=\S+)/m, /^EnvironmentFile=.*/m].map((line) =>
    line.exec(unit),
  )
  expect(read('deploy/earshot.service')).toContain(`Environment=${data?.[1]} `)
  expect(read('deploy/earshot.service')).toContain(settings?.[0])

  const [folder, backups, dataDir] = [makeFolder(), makeFolder(), makeFolder()]
  const database = new DatabaseSync(join(dataDir, 'earshot.sqlite'))
  database.exec('create table kysely_migration (name text)')
  database.close()
  const launcher = join(folder, 'earshot')
  const admin = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(root, 'server/src/admin/main.ts'),
  ]
  writeScript(launcher, ['shift', `exec ${admin.join(' ')} "$@"`])
  for (const [name, days] of [
    ['2020-01-01', 16],
    ['2020-01-04', 13],
    ['no backup', 16],
  ] as const) {
    mkdirSync(join(backups, name))
    const at = Date.now() / 1_000 - days * 86_400
    utimesSync(join(backups, name), at, at)
  }
  // As systemd reads them: up to the end of the line, without expanding anything.
  const given = readBlocks('## Backup').at(-1)?.trim().split(/\n */) ?? []
  const variables = Object.fromEntries(given.map((line) => line.split(/=(.*)/, 2)))
  expect(variables).toMatchObject({ MAIL_FROM: expect.stringContaining('<') })
  const commands = [...unit.matchAll(/^ExecStart=(.*)$/gm)].map(([, command = '']) =>
    command
      .replaceAll('$$', '$')
      .replaceAll('%%', '%')
      .replaceAll('/opt/earshot/earshot', launcher)
      .replaceAll('/backup', backups),
  )
  expect(commands).toHaveLength(2)
  const backUp = (): void => {
    for (const command of commands)
      run(command, { PATH: '/usr/bin:/bin', ...variables, DATA_DIR: dataDir }, folder)
  }
  backUp()
  // Each has a second of its own in its name.
  await delay(1_000)
  backUp()
  const [recent, ...others] = readdirSync(backups).toSorted()
  const made = others.filter((name) => name !== 'no backup')
  expect([recent, others.at(-1)]).toEqual(['2020-01-04', 'no backup'])
  expect(made).toHaveLength(2)
  for (const name of made) expect(readdirSync(join(backups, name))).toContain('earshot-backup.json')
})
