import { spotifyMessages, youtubeMessages } from '@earshot/core/protocol/provider-messages'
import { languages } from '@earshot/core/protocol/languages'
import { expect, it } from 'vitest'
import type { Translated } from './translated.ts'

/** Takes a file in all languages. A type error where a translation lacks an export, or has one of another type. */
const inAll = <English>(
  en: () => Promise<English>,
  de: () => Promise<Translated<English>>,
  ar: () => Promise<Translated<English>>,
) => ({ en, de, ar })

const files = {
  'admin.ts': inAll(
    () => import('./admin.ts'),
    () => import('./de/admin.ts'),
    () => import('./ar/admin.ts'),
  ),
  'chat.ts': inAll(
    () => import('./chat.ts'),
    () => import('./de/chat.ts'),
    () => import('./ar/chat.ts'),
  ),
  'common.ts': inAll(
    () => import('./common.ts'),
    () => import('./de/common.ts'),
    () => import('./ar/common.ts'),
  ),
  'connection-tester.ts': inAll(
    () => import('./connection-tester.ts'),
    () => import('./de/connection-tester.ts'),
    () => import('./ar/connection-tester.ts'),
  ),
  'create-room.ts': inAll(
    () => import('./create-room.ts'),
    () => import('./de/create-room.ts'),
    () => import('./ar/create-room.ts'),
  ),
  'debug-tools.ts': inAll(
    () => import('./debug-tools.ts'),
    () => import('./de/debug-tools.ts'),
    () => import('./ar/debug-tools.ts'),
  ),
  'diagnosis.ts': inAll(
    () => import('./diagnosis.ts'),
    () => import('./de/diagnosis.ts'),
    () => import('./ar/diagnosis.ts'),
  ),
  'document.ts': inAll(
    () => import('./document.ts'),
    () => import('./de/document.ts'),
    () => import('./ar/document.ts'),
  ),
  'door.ts': inAll(
    () => import('./door.ts'),
    () => import('./de/door.ts'),
    () => import('./ar/door.ts'),
  ),
  'environment.ts': inAll(
    () => import('./environment.ts'),
    () => import('./de/environment.ts'),
    () => import('./ar/environment.ts'),
  ),
  'errors.ts': inAll(
    () => import('./errors.ts'),
    () => import('./de/errors.ts'),
    () => import('./ar/errors.ts'),
  ),
  'explore.ts': inAll(
    () => import('./explore.ts'),
    () => import('./de/explore.ts'),
    () => import('./ar/explore.ts'),
  ),
  'find-music.ts': inAll(
    () => import('./find-music.ts'),
    () => import('./de/find-music.ts'),
    () => import('./ar/find-music.ts'),
  ),
  'home.ts': inAll(
    () => import('./home.ts'),
    () => import('./de/home.ts'),
    () => import('./ar/home.ts'),
  ),
  'language.ts': inAll(
    () => import('./language.ts'),
    () => import('./de/language.ts'),
    () => import('./ar/language.ts'),
  ),
  'language-choice.ts': inAll(
    () => import('./language-choice.ts'),
    () => import('./de/language-choice.ts'),
    () => import('./ar/language-choice.ts'),
  ),
  'library.ts': inAll(
    () => import('./library.ts'),
    () => import('./de/library.ts'),
    () => import('./ar/library.ts'),
  ),
  'login.ts': inAll(
    () => import('./login.ts'),
    () => import('./de/login.ts'),
    () => import('./ar/login.ts'),
  ),
  'moderation.ts': inAll(
    () => import('./moderation.ts'),
    () => import('./de/moderation.ts'),
    () => import('./ar/moderation.ts'),
  ),
  'now-playing.ts': inAll(
    () => import('./now-playing.ts'),
    () => import('./de/now-playing.ts'),
    () => import('./ar/now-playing.ts'),
  ),
  'people.ts': inAll(
    () => import('./people.ts'),
    () => import('./de/people.ts'),
    () => import('./ar/people.ts'),
  ),
  'playlist-import.ts': inAll(
    () => import('./playlist-import.ts'),
    () => import('./de/playlist-import.ts'),
    () => import('./ar/playlist-import.ts'),
  ),
  'profile.ts': inAll(
    () => import('./profile.ts'),
    () => import('./de/profile.ts'),
    () => import('./ar/profile.ts'),
  ),
  'provider-messages.ts': inAll(
    () => import('./provider-messages.ts'),
    () => import('./de/provider-messages.ts'),
    () => import('./ar/provider-messages.ts'),
  ),
  'queue.ts': inAll(
    () => import('./queue.ts'),
    () => import('./de/queue.ts'),
    () => import('./ar/queue.ts'),
  ),
  'room.ts': inAll(
    () => import('./room.ts'),
    () => import('./de/room.ts'),
    () => import('./ar/room.ts'),
  ),
  'room-settings.ts': inAll(
    () => import('./room-settings.ts'),
    () => import('./de/room-settings.ts'),
    () => import('./ar/room-settings.ts'),
  ),
  'server-messages.ts': inAll(
    () => import('./server-messages.ts'),
    () => import('./de/server-messages.ts'),
    () => import('./ar/server-messages.ts'),
  ),
  'times.ts': inAll(
    () => import('./times.ts'),
    () => import('./de/times.ts'),
    () => import('./ar/times.ts'),
  ),
}

/** Lists the paths of all messages in a value, each with its kind. */
function listMessages(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([name, part]) => listMessages(part, `${path}/${name}`))
}

/** Lists the texts without parameters in a value. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

/** Lists the sentences in a value. */
const listSentences = (value: unknown): string[] =>
  listTexts(value).filter((text) => text.split(' ').length > 3)

it('17.80 all files of texts are compared', () => {
  const paths = Object.keys(import.meta.glob(['./*.ts', '!./*.test.ts', '!./translated.ts']))
  expect(Object.keys(files).toSorted()).toEqual(paths.map((path) => path.slice(2)).toSorted())
})

it.each(Object.entries(files))(
  '17.80 every message of %s is there in all languages, no other, and no sentence in English',
  async (_name, inLanguages) => {
    const english = await inLanguages.en()
    const sentences = new Set(listSentences(english).filter((text) => !text.startsWith('npm ')))
    for (const language of languages.slice(1)) {
      const translated = await inLanguages[language]()
      expect(listMessages(translated).toSorted()).toEqual(listMessages(english).toSorted())
      expect(listSentences(translated).filter((text) => sentences.has(text))).toEqual([])
    }
  },
)

it('17.400 English texts say "sign in"; the specification fixes those that say "log in"', async () => {
  const modules = await Promise.all(Object.values(files).map(({ en }) => en()))
  const isOther = (text: string) => /\blog(ged)?[ -]?(in|out)\b/i.test(text)
  expect(modules.flatMap(listTexts).filter(isOther).toSorted()).toEqual([
    'An error occurred during login',
    'Log Out',
    'Login failed',
    'Login successful',
    'Logout',
    'Please log in to create a room',
    'Please log in to join a room',
  ])
})

it("17.80 a message of the server is shown in the page's language, an unknown one by its code", async () => {
  const { serverMessage: inGerman } = await files['server-messages.ts'].de()
  const { serverMessage: inEnglish } = await files['server-messages.ts'].en()
  const cases = ['Email is required', 'INVALID_EMAIL_OR_PASSWORD', 'rate_limited', 'Whatever happened']
  expect(cases.map((text) => inGerman(text, text))).toEqual([
    'Die E-Mail-Adresse fehlt',
    'E-Mail-Adresse oder Passwort ist falsch',
    'Zu viele Anfragen. Warte einen Moment und versuche es noch einmal.',
    null,
  ])
  expect(inEnglish('Whatever happened')).toBe('Whatever happened')
})

it('15.104 every reason of a provider has a translation', async () => {
  const { providerMessage: inEnglish } = await files['provider-messages.ts'].en()
  for (const message of [...Object.values(spotifyMessages), ...Object.values(youtubeMessages)]) {
    expect(inEnglish(message)).toBe(message)
    for (const language of languages.slice(1)) {
      const { providerMessage } = await files['provider-messages.ts'][language]()
      expect([message, null]).not.toContain(providerMessage(message))
    }
  }
})
