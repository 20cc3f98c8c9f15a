import { closeSync, openSync } from 'node:fs'
import { extname } from 'node:path'
import { FileWindow, skipId3v2 } from './seekable/audio-packets.ts'

/** The first bytes of files, as Latin-1 text, behind any ID3v2 tags. */
const signatures: { extension: string; matches: RegExp }[] = [
  { extension: '.flac', matches: /^fLaC/ },
  { extension: '.spx', matches: /^OggS.{24}Speex {3}/s },
  { extension: '.ogg', matches: /^OggS/ },
  { extension: '.wav', matches: /^(?:RIFF|RF64|BW64)....WAVE/s },
  { extension: '.m4a', matches: /^....(?:ftyp|moov|mdat|wide)/s },
  { extension: '.mka', matches: /^.E\xdf\xa3/s },
  { extension: '.aiff', matches: /^FORM....AIF[FC]/s },
  { extension: '.caf', matches: /^caff\0/ },
  { extension: '.au', matches: /^\.snd/ },
  { extension: '.wma', matches: /^0&\xb2u\x8ef\xcf/ },
  { extension: '.wv', matches: /^wvpk/ },
  { extension: '.ape', matches: /^MAC / },
  { extension: '.tta', matches: /^TTA[12]/ },
  { extension: '.tak', matches: /^tBaK/ },
  { extension: '.mpc', matches: /^MP(?:CK|\+)/ },
  { extension: '.dsf', matches: /^DSD / },
  { extension: '.dff', matches: /^FRM8/ },
  { extension: '.ra', matches: /^\.(?:ra\xfd|RMF)/ },
  { extension: '.amr', matches: /^#!AMR/ },
  { extension: '.w64', matches: /^riff\.\x91\xcf/ },
  { extension: '.dts', matches: /^\x7f\xfe\x80/ },
  { extension: '.ac3', matches: /^\vw/ },
  // No layer: ADTS. Layer 2: MP2. Layer 3: MP3.
  { extension: '.aac', matches: /^\xff[\xf0\xf1\xf8\xf9]/ },
  { extension: '.mp2', matches: /^\xff[\xe4\xe5\xf4\xf5\xfc\xfd][^\xf0-\xff]/ },
  { extension: '.mp3', matches: /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/ },
]
const signatureBytes = 36
/** Tags and signatures are read, and nothing else. */
const windowBytes = 4 * 1024

/** Extensions of one format, which its files may have. */
const sameFormat = [
  ['.ogg', '.opus', '.oga'],
  ['.m4a', '.m4b'],
  ['.mka', '.webm'],
]

/**
 * Returns the extension, in lower case, by which to read an audio file: that of its name, or where its content is of another
 * format, that of its content.
 */
export function contentExtension(file: FileWindow, path: string): string {
  const named = extname(path).toLowerCase()
  const head = Buffer.from(file.bytes(skipId3v2(file), signatureBytes)).toString('latin1')
  const found = signatures.find(({ matches }) => matches.test(head))?.extension
  if (found === undefined || sameFormat.some((names) => names.includes(found) && names.includes(named)))
    return named
  return found
}

/** Does the same for a file that is not open. Synchronous: for worker threads. */
export function readContentExtension(path: string): string {
  const descriptor = openSync(path, 'r')
  try {
    return contentExtension(new FileWindow(descriptor, windowBytes), path)
  } finally {
    closeSync(descriptor)
  }
}
