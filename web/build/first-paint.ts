import type { Plugin } from 'vite'

const styleLink = /^ *<link rel="stylesheet" crossorigin[^>]*>\n/m

/**
 * Preloads the font in parallel with the style sheet, which avoids a layout shift when it arrives, and moves the style
 * sheet behind the splash: what is before it is painted without it, and scripts wait for it.
 */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
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
