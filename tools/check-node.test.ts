import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeOldNode } from './check-node.cjs'

it('16.223 a Node that is too old for the commands is named, with what to install', () => {
  for (const version of ['0.10.48', '8.17.0', '12.22.9', '18.20.4', '20.18.1', '21.7.3', '22.11.0']) {
    expect(describeOldNode(version)).toMatch(
      `needs Node 20.19, 22.12 or newer with npm, and this is Node ${version}. Install Node 24`,
    )
  }
})

it('16.223 a Node for which npm installs all packages is new enough', () => {
  for (const version of ['20.19.0', '22.12.0', '23.0.0', '24.21.0', '26.1.0'])
    expect(describeOldNode(version)).toBeNull()
})

it('16.223 every command of the project checks its Node before it is read', () => {
  const manifest = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> }
  const commands = Object.values(scripts).filter((script) => /tools\/[\w/-]+\.mjs/.test(script))
  expect(commands.length).toBeGreaterThan(5)
  for (const command of commands) expect(command).toMatch(/^node -r \.\/tools\/check-node\.cjs tools\//)
})

it('16.223 it is as new as the packages that build the page ask for', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { engines?: { node?: string } }>
  }
  for (const name of ['vite', 'rolldown', '@rolldown/binding-linux-x64-gnu'])
    expect(lock.packages[`node_modules/${name}`]?.engines?.node).toBe('^20.19.0 || >=22.12.0')
})
