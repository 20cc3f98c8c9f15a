import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { directionOf, fileOf, languages, type Language } from '@earshot/core/protocol/languages'
import type { BuildAppHook, Plugin, Rolldown } from 'vite'
import { documentTexts as arabic } from '../src/texts/ar/document.ts'
import { documentTexts as german } from '../src/texts/de/document.ts'
import { documentTexts as english } from '../src/texts/document.ts'

const documentTexts: Record<Language, typeof english> = { en: english, de: german, ar: arabic }

/** A module with the texts of a screen, wherever the project lies. */
const textsModule = /^(.*\/web\/src\/texts)(\/[\w-]+\.ts)$/

const manifestName = 'manifest.webmanifest'

/**
 * Builds the page once per language into one folder. In the build of a language every import of a module of texts leads
 * to that language's module. Modules without texts get the same name in all builds. Each language has an `index.html`,
 * an `offline.html` and a manifest; their names carry the language, but for English: `index.de.html`.
 */
export function pageLanguages(): Plugin {
  let root = ''
  return {
    name: 'page-languages',
    // Before Vite resolves paths itself.
    enforce: 'pre',
    config: () => ({ environments: translations(), builder: { buildApp: buildAll } }),
    configResolved(config) {
      root = config.root
    },
    transformIndexHtml: {
      order: 'pre',
      // The development server has English only.
      handler: (html, { server }) => (server ? fillIn(html, 'en') : html),
    },
    async resolveId(source, importer, options) {
      const language = languageOf(this.environment.name)
      if (language === 'en' || importer === undefined || importer.includes(`/texts/${language}/`)) return null
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      const [, folder, file] = textsModule.exec(resolved?.id ?? '') ?? []
      return folder === undefined || file === undefined ? null : `${folder}/${language}${file}`
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const language = languageOf(this.environment.name)
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('The build has no index.html')
        page.fileName = fileOf('index.html', language)
        page.source = fillIn(String(page.source), language)
        const offline = await readFile(join(root, 'build', 'offline.html'), 'utf8')
        emit(this, fileOf('offline.html', language), fillIn(offline, language))
        if (language === 'en') return
        const manifest = JSON.parse(await readFile(join(root, 'public', manifestName), 'utf8'))
        const { description } = documentTexts[language]
        const translated = { ...manifest, description, lang: language, dir: directionOf(language) }
        emit(this, fileOf(manifestName, language), JSON.stringify(translated))
      },
    },
  }
}

/** The environments of the builds besides Vite's own, `client`, which is the one for English. */
function translations() {
  const environment = {
    consumer: 'client' as const,
    build: { emptyOutDir: false, copyPublicDir: false, rolldownOptions: { input: 'index.html' } },
  }
  return Object.fromEntries(languages.slice(1).map((language) => [language, environment]))
}

async function buildAll(builder: Parameters<BuildAppHook>[0]): Promise<void> {
  for (const name of ['client', ...languages.slice(1)]) {
    const environment = builder.environments[name]
    if (environment) await builder.build(environment)
  }
}

const languageOf = (environment: string): Language =>
  languages.find((language) => language === environment) ?? languages[0]

/** Fills the language's texts into a document with `{{name}}` for each. */
function fillIn(html: string, language: Language): string {
  const values: Record<string, string> = {
    ...documentTexts[language],
    language,
    direction: directionOf(language),
  }
  return html
    .replace(manifestName, fileOf(manifestName, language))
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? name)
}

function emit(context: Rolldown.PluginContext, fileName: string, source: string): void {
  context.emitFile({ type: 'asset', fileName, source })
}
