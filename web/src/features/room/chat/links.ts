import { parseUrl } from '../../../ui/page/parse-url.ts'

/** A part of a message: plain text, or a web address with what is shown for it. */
type MessagePart = string | { href: string; text: string }

// No white space, quotes, brackets that enclose addresses, or characters that are invisible or turn the text around.
const addressPattern = /\bhttps?:\/\/[^\s<>"'`\p{Default_Ignorable_Code_Point}\p{Cc}\p{Bidi_Control}]+/giu
const trailingMarks = /[.,:;!?…]+$/u

/**
 * Splits a message at the http and https addresses in it. An address whose host is written in look-alike letters shows
 * the host that the browser opens (punycode); one with a name before its host is no link.
 */
export function splitLinks(content: string): MessagePart[] {
  const parts: MessagePart[] = []
  let from = 0
  for (const { 0: match, index } of content.matchAll(addressPattern)) {
    const text = trimAddress(match)
    const link = toLink(text)
    if (!link) continue
    if (index > from) parts.push(content.slice(from, index))
    parts.push(link)
    from = index + text.length
  }
  if (from < content.length) parts.push(content.slice(from))
  return parts
}

/** Leaves out the marks of the sentence that an address ends. A closing bracket belongs to it if it was opened there. */
function trimAddress(address: string): string {
  const trimmed = address.replace(trailingMarks, '')
  const opened = trimmed.split('(').length
  const closed = trimmed.split(')').length
  return trimmed.endsWith(')') && closed > opened ? trimAddress(trimmed.slice(0, -1)) : trimmed
}

function toLink(text: string): MessagePart | null {
  const url = parseUrl(text)
  if (!url) return null
  const { href, protocol, username, password, host, hostname } = url
  const isWeb = protocol === 'http:' || protocol === 'https:'
  if (!isWeb || username !== '' || password !== '' || !/[.\]]|^localhost$/.test(hostname)) return null
  const [, written = '', rest = ''] = /^https?:\/\/([^/?#\\]*)(.*)$/isu.exec(text) ?? []
  const isHonest =
    written.toLowerCase() === host || written.toLowerCase() === `${host}:${defaultPort(protocol)}`
  return { href, text: isHonest ? text : `${protocol}//${host}${rest}` }
}

const defaultPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80')
