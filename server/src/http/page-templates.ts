import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileOf, languages, type Language } from '@earshot/core/protocol/languages'

/** A page's HTML before and after the place of its data. */
export type Template = [before: string, after: string]

/** In each language the page, and the page that preloads the scripts of a room. */
export type Templates = Record<Language, { page: Template; room: Template }>

export interface BuiltPage {
  templates: Templates
  /** Differs between builds, and is the same for all languages of one. */
  version: string
}

const versionLength = 12

/** Reads the built page; null where it is not built. A language that it lacks has the English page. */
export async function readBuiltPage(folder: string): Promise<BuiltPage | null> {
  const page = await readTemplate(join(folder, 'index.html'))
  if (!page) return null
  const english = { page, room: (await readTemplate(join(folder, 'room.html'))) ?? page }
  const read = async (language: Language): Promise<[Language, Templates[Language]]> => {
    const translated = await readTemplate(join(folder, fileOf('index.html', language)))
    const room = await readTemplate(join(folder, fileOf('room.html', language)))
    return [language, translated ? { page: translated, room: room ?? translated } : english]
  }
  const templates = Object.fromEntries(await Promise.all(languages.map(read))) as Templates
  const hash = createHash('sha256')
  for (const language of languages) hash.update(templates[language].page.join(''))
  return { templates, version: hash.digest('hex').slice(0, versionLength) }
}

async function readTemplate(path: string): Promise<Template | null> {
  if (!existsSync(path)) return null
  const html = await readFile(path, 'utf8')
  const at = Math.max(0, html.indexOf('</head>'))
  return [html.slice(0, at), html.slice(at)]
}
