import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(css|html|js|json|svg|txt|webmanifest)$/
const minBytes = 1_024

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < minBytes) return
  const brotliOptions = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  }
  const [brotli, gzipped] = await Promise.all([
    compressBrotli(content, brotliOptions),
    compressGzip(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
}

/** Writes `.br` and `.gz` beside every text file of the build, so that the server never compresses static files. */
export function precompress(): Plugin {
  let outputFolder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outputFolder = join(config.root, config.build.outDir)
    },
    buildApp: {
      // After the builds of all languages, which share files.
      order: 'post',
      async handler() {
        const files = await readdir(outputFolder, { recursive: true })
        await Promise.all(
          files
            .filter((file) => compressible.test(file))
            .map((file) => compressFile(join(outputFolder, file))),
        )
      },
    },
  }
}
