import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { type Plugin, minifySync } from 'vite'
import { findDocument } from './page-preloads.ts'

const styleLink = /^ *<link rel="stylesheet" crossorigin[^>]*>\n/m

/** The files of `public/` that a document runs or paints with before the code of its page. */
const early = ['splash.css', 'first-paint.js', 'early-socket.js']

/**
 * Preloads the font in parallel with the style sheet, which avoids a layout shift when it arrives, and moves the style
 * sheet behind the splash, which is painted without it, while scripts wait for it. Files that run before it get a
 * name with its hash, so that browsers keep it: asking for it again would be a round trip without a picture.
 */
export function firstPaint(): Plugin {
  let publicFolder = ''
  return {
    name: 'first-paint',
    apply: 'build',
    configResolved(config) {
      publicFolder = config.publicDir
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = findDocument(bundle)
        for (const name of early) {
          const source = minifyEarly(name, await readFile(join(publicFolder, name), 'utf8'))
          const fileName = hashedName(name, source)
          this.emitFile({ type: 'asset', fileName, source })
          page.source = String(page.source).replace(`"/${name}"`, `"/${fileName}"`)
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const [link] = styleLink.exec(html) ?? []
        if (link === undefined) throw new Error('The page has no style sheet')
        const tags = Object.keys(bundle ?? {})
          .filter((fileName) => fileName.endsWith('.woff2'))
          .map((fileName) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${fileName}`, crossorigin: '' },
            injectTo: 'head' as const,
          }))
        return { html: html.replace(link, '').replace('  </body>', `${link}  </body>`), tags }
      },
    },
  }
}

/** Takes the spaces out of a style sheet, for which Vite exports no minifier. Throws where a script cannot be parsed. */
function minifyEarly(name: string, source: string): string {
  if (name.endsWith('.js')) {
    const { code, errors } = minifySync(name, source, { module: false })
    if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0]?.message}`)
    return code
  }
  return source.replace(/\s+/g, ' ').replace(/ ?([{};:,]) ?/g, '$1')
}

function hashedName(name: string, source: string): string {
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  return `assets/${parse(name).name}-${hash}${parse(name).ext}`
}
