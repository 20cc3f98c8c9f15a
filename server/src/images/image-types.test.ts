import { describe, expect, it } from 'vitest'
import { tinyPng } from '../../test/wav.ts'
import { sniffImageType } from './image-types.ts'

describe('the type of an image', () => {
  it.each([
    ['image/png', tinyPng],
    ['image/jpeg', Buffer.from('ffd8ffe000104a4649460001', 'hex')],
    ['image/gif', Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1')],
    ['image/webp', Buffer.from('RIFF\u0024\n\u0000\u0000WEBPVP8 ', 'latin1')],
  ])('is %s by its first bytes', (mimeType, bytes) => {
    expect(sniffImageType(bytes)).toBe(mimeType)
  })

  it.each([
    ['a drawing that can carry a script', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a page behind the beginning of an image', '\u0089PN<html>'],
    ['a bitmap', 'BM6\u0000\u0000\u0000'],
    ['sound', 'RIFF\u0024\u0000\u0000\u0000WAVEfmt '],
    ['nothing', ''],
  ])('is null for %s', (_, text) => {
    expect(sniffImageType(Buffer.from(text, 'latin1'))).toBeNull()
  })
})
