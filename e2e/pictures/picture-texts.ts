import type { Language } from '@earshot/core/protocol/languages'
import type * as admin from '../../web/src/texts/admin.ts'
import type * as common from '../../web/src/texts/common.ts'
import type * as createRoom from '../../web/src/texts/create-room.ts'
import type * as debugTools from '../../web/src/texts/debug-tools.ts'
import type * as door from '../../web/src/texts/door.ts'
import type * as environment from '../../web/src/texts/environment.ts'
import type * as findMusic from '../../web/src/texts/find-music.ts'
import type * as home from '../../web/src/texts/home.ts'
import type * as library from '../../web/src/texts/library.ts'
import type * as login from '../../web/src/texts/login.ts'
import type * as nowPlaying from '../../web/src/texts/now-playing.ts'
import type * as people from '../../web/src/texts/people.ts'
import type * as profile from '../../web/src/texts/profile.ts'
import type * as queue from '../../web/src/texts/queue.ts'
import type * as room from '../../web/src/texts/room.ts'
import type * as roomSettings from '../../web/src/texts/room-settings.ts'

export type Texts = Awaited<ReturnType<typeof readTexts>>

/** Reads the page's texts in a language, by which its buttons are found. */
export async function readTexts(language: Language) {
  const folder = language === 'en' ? '' : `${language}/`
  const read = async <Module>(name: string) =>
    (await import(`../../web/src/texts/${folder}${name}.ts`)) as Module
  return {
    ...(await read<typeof admin>('admin')),
    ...(await read<typeof common>('common')),
    ...(await read<typeof createRoom>('create-room')),
    ...(await read<typeof debugTools>('debug-tools')),
    ...(await read<typeof door>('door')),
    ...(await read<typeof environment>('environment')),
    ...(await read<typeof findMusic>('find-music')),
    ...(await read<typeof home>('home')),
    ...(await read<typeof library>('library')),
    ...(await read<typeof login>('login')),
    ...(await read<typeof nowPlaying>('now-playing')),
    ...(await read<typeof people>('people')),
    ...(await read<typeof profile>('profile')),
    ...(await read<typeof queue>('queue')),
    ...(await read<typeof room>('room')),
    ...(await read<typeof roomSettings>('room-settings')),
  }
}
