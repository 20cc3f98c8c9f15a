import { dirname } from 'node:path'
import { type AudioTags, cleanTagText } from './audio-tags.ts'
import { discOfFolder } from './folder-names.ts'

/** '1999 - Album', and 'Album (1999)' or 'Album [1999]'. */
const yearBefore = /^((?:19|20)\d\d)\s+-\s+(?=\S)/
const yearBehind = /(?<=\S)\s+[([]((?:19|20)\d\d)[)\]]$/

/**
 * Names a file by its folders that states neither artist nor album: 'Artist/Album/01.mp3', 'Artist - Album/01.mp3' or
 * 'Album/01.mp3', with or without a folder for each disc. `path`: within the music folder.
 */
export function tagsFromFolders<Tags extends AudioTags>(tags: Tags, path: string): Tags {
  if (tags.artist || tags.album || tags.albumArtist) return tags
  const folders = dirname(path)
    .split('/')
    .filter((name) => name !== '.')
    .map((name) => cleanTagText(name.replaceAll('_', ' ')))
  const disc = folders.length > 1 ? discOfFolder(folders.at(-1) ?? '') : null
  const [name = '', above = ''] = (disc === null ? folders : folders.slice(0, -1)).toReversed()
  if (!name) return tags
  const [, first = '', second = ''] = /^(.+?)\s+[-–—]\s+(.+)$/.exec(name.replace(yearBefore, '')) ?? []
  const isNamed = second !== '' && (above === '' || first === above)
  const artist = isNamed ? first : above
  const year = Number((yearBefore.exec(name) ?? yearBehind.exec(name))?.[1])
  return {
    ...tags,
    artist,
    albumArtist: artist,
    album: (isNamed ? second : name.replace(yearBefore, '')).replace(yearBehind, ''),
    year: tags.year ?? (year || null),
    discNumber: tags.discNumber ?? disc,
  }
}
