import { describe, expect, it } from 'vitest'
import { tagsFromFileName } from './file-name-tags.ts'

describe('what a file without tags is called', () => {
  it.each([
    ['Nina - Sinnerman.flac', 'Sinnerman', 'Nina'],
    ['some/folder/Nina - Sinnerman.live.mp3', 'Sinnerman.live', 'Nina'],
    ['Sinnerman.ogg', 'Sinnerman', ''],
    ['01 - Sinnerman.ogg', 'Sinnerman', ''],
    ['01 Sinnerman.ogg', 'Sinnerman', ''],
    ['3. Nina - Sinnerman.ogg', 'Sinnerman', 'Nina'],
    ['07_Nina_Simone_-_Feeling_Good.mp3', 'Feeling Good', 'Nina Simone'],
    ['Nina - 05 - Sinnerman.mp3', 'Sinnerman', 'Nina'],
    ['Nina – Sinnerman - Live.mp3', 'Sinnerman - Live', 'Nina'],
    ['50 Cent - In Da Club.mp3', 'In Da Club', '50 Cent'],
    ['1979.mp3', '1979', ''],
    ['07.mp3', '07', ''],
    ['Jay-Z - 99 Problems.mp3', '99 Problems', 'Jay-Z'],
  ])('%s', (path, title, artist) => {
    expect(tagsFromFileName(path)).toEqual({ title, artist })
  })
})
