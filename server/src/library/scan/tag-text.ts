const textMaxLength = 500

/** The text of a tag as it is shown: on one line, whole characters, not too long. Empty for a missing tag. */
export function cleanTagText(text: string | undefined): string {
  // Tags come padded with NUL and worse.
  const printable = readAsUtf8(text ?? '').replace(/[\p{Cc}\s]+/gu, ' ')
  return printable.trim().normalize('NFC').slice(0, textMaxLength).toWellFormed()
}

/**
 * Many programs write UTF-8 where a format (RIFF INFO, ID3v1) means Latin-1, and 'Björk' is read as 'BjÃ¶rk'. Text
 * that is Latin-1 and at the same time valid UTF-8 beyond ASCII is practically always that.
 */
function readAsUtf8(text: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
