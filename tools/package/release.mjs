// `npm run release`: makes a tarball of what runs on this platform, with its checksum, in `dist/`.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, root } from '../install.mjs'
import { stage } from './stage.mjs'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const name = `earshot-${version}-${process.platform}-${process.arch}`
const output = join(root, 'dist')
const workspace = mkdtempSync(join(tmpdir(), 'earshot-release-'))
try {
  stage(join(workspace, name), { withNode: true })
  mkdirSync(output, { recursive: true })
  const file = `${name}.tar.gz`
  // The same content gives the same bytes: sorted, without owners.
  const options = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner']
  const packed = spawnSync('tar', [...options, '-czf', join(output, file), name], {
    cwd: workspace,
    stdio: 'inherit',
  })
  if (packed.status !== 0) fail('Could not pack the release: see the lines above.')
  const hash = createHash('sha256')
    .update(readFileSync(join(output, file)))
    .digest('hex')
  writeFileSync(join(output, 'SHA256SUMS'), `${hash}  ${file}\n`)
  console.log(`dist/${file}`)
} finally {
  rmSync(workspace, { recursive: true, force: true })
}
