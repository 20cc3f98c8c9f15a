import type { Plugin } from 'vite'

/** Preloads the font in parallel with the style sheet, which avoids a layout shift when it arrives. */
export function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml(_html, { bundle }) {
      return Object.keys(bundle ?? {})
        .filter((fileName) => fileName.endsWith('.woff2'))
        .map((fileName) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${fileName}`, crossorigin: '' },
          injectTo: 'head-prepend' as const,
        }))
    },
  }
}
