import { join, resolve } from 'node:path'
import { libraryAccessSchema, signUpModeSchema } from '@earshot/core/protocol/admin-calls'
import proxyAddr from '@fastify/proxy-addr'
import { z } from 'zod'
import { findMisspelt, type Misspelt } from './misspelt.ts'
import { operationVariables, toOperation } from './operation.ts'
import { fileVariables, readSecretFiles } from './secret-files.ts'
import { variable, wholeNumber } from './variable.ts'
import { serverLimits } from '../server-limits.ts'

const projectRoot = join(import.meta.dirname, '..', '..', '..')

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const isUrl = (protocols: string[]) => (value: string) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol)

const isOrigin = (value: string): boolean => {
  const url = URL.parse(value)
  return url !== null && `${url.origin}/` === url.href
}

const webUrl = z.string().refine(isUrl(['http:', 'https:']))
const text = variable(z.string().trim().min(1), 'a text')

const allowedUrls = (protocols: string[], more = '') =>
  variable(
    z.string().refine(isUrl(protocols.map((name) => `${name}:`))),
    `an address that begins with ${protocols.map((name) => `${name}://`).join(' or ')}${more}`,
  )

/** An address with a password. A # in it would begin a fragment, and what follows would be lost in silence. */
const serverUrl = (protocols: string[]) => {
  const schema = allowedUrls(protocols, ', with special characters of the password as %XX, such as # as %23')
  return schema.refine((value) => value === undefined || URL.parse(value)?.hash === '')
}

/** As `serverUrl`, of a client that fails at a % that begins no %XX; that of PostgreSQL takes it as it is. */
const decodedUrl = (protocols: string[]) =>
  serverUrl(protocols).refine((value) => value === undefined || hasDecodableUser(value))

/** Only a shell expands ~, and many settings are read by none: the folder would be one called ~. */
const folder = variable(
  z
    .string()
    .regex(/^[^~]/)
    .transform((path) => fromRoot(path)),
  'the path of a folder, without ~',
)

const variables = z.object({
  PORT: wholeNumber(0, 65_535, ' (0: any that is free)'),
  HOST: variable(
    z.string().regex(/^[\w.:-]+$/),
    'an address of this machine, for example 127.0.0.1 or 0.0.0.0',
  ),
  PUBLIC_URL: variable(
    z
      .string()
      .transform(splitList)
      .pipe(z.array(webUrl.refine(isOrigin).transform((value) => new URL(value).origin)).min(1)),
    'the http:// or https:// addresses that browsers use, separated by commas, without a path: Earshot needs a host name of its own',
  ),
  TRUST_PROXY: variable(
    z
      .string()
      .transform(parseProxies)
      .refine((proxies) => proxies !== null),
    'the addresses or networks of your proxies, separated by commas, or their number from 1 to 9',
  ),
  DATA_DIR: folder,
  DATABASE_URL: serverUrl(['postgres', 'postgresql']),
  REDIS_URL: decodedUrl(['redis', 'rediss']),
  MUSIC_DIR: folder,
  SOCKET_SERVERS: variable(
    z
      .string()
      .transform(splitList)
      .refine((servers) => servers.every((server) => URL.canParse(server))),
    'addresses separated by commas, for example https://one.example.org,https://two.example.org',
  ),
  PUBLIC_CLIENT_KEY: variable(
    z.string().regex(/^[\x21-\x7e]{8,200}$/),
    '8 to 200 printable characters without spaces',
  ),
  SECRET: variable(z.string().min(32), 'at least 32 characters long'),
  SECRET_PREVIOUS: variable(
    z
      .string()
      .transform((value) => value.split(',').map((secret) => secret.trim()))
      .refine((secrets) => secrets.every((secret) => secret.length >= 32)),
    'former values of SECRET separated by commas, each at least 32 characters long',
  ),
  SPOTIFY_CLIENT_ID: text,
  SPOTIFY_CLIENT_SECRET: text,
  SPOTIFY_REDIRECT_URI: allowedUrls(['http', 'https']),
  YOUTUBE_API_KEY: text,
  SPOTIFY_ACCOUNTS_URL: allowedUrls(['http', 'https']),
  SPOTIFY_API_URL: allowedUrls(['http', 'https']),
  SPOTIFY_SDK_URL: allowedUrls(['http', 'https']),
  YOUTUBE_API_URL: allowedUrls(['http', 'https']),
  YOUTUBE_OEMBED_URL: allowedUrls(['http', 'https']),
  YOUTUBE_PLAYER_URL: allowedUrls(['http', 'https']),
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  SIGN_UP: variable(signUpModeSchema, `one of ${signUpModeSchema.options.join(', ')}`),
  SIGN_UPS_PER_HOUR: wholeNumber(1, 99_999),
  LIBRARY_ACCESS: variable(libraryAccessSchema, `one of ${libraryAccessSchema.options.join(', ')}`),
  SMTP_URL: decodedUrl(['smtp', 'smtps']),
  MAIL_FROM: variable(
    z.string().regex(/^(?:[^<>@\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/),
    'the sender of mails, such as music@example.org or Earshot <music@example.org>',
  ),
  ...operationVariables,
  LOG_LEVEL: variable(z.enum(logLevels), `one of ${logLevels.join(', ')}`),
})
type Variables = z.output<typeof variables>

/** Variables that only work together. */
const pairs = [
  ['SPOTIFY_CLIENT_ID', 'SPOTIFY_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
] as const

/** The configuration, with defaults filled in. Null means not configured. */
export type Env = ReturnType<typeof toEnv>

/** An invalid configuration. Each problem names the variable and the allowed values. */
export class EnvError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(['The configuration cannot be used:', ...problems.map((problem) => `  ${problem}`)].join('\n'))
    this.name = 'EnvError'
    this.problems = problems
  }
}

/** Reads the configuration of this process; nothing else reads the environment. @throws EnvError */
export function readEnv(): Env {
  return parseEnv(process.env)
}

/** Lists what is set in this process and looks like a setting that is misspelt. */
export function listMisspelt(): Misspelt[] {
  return findMisspelt(Object.keys(process.env), [...Object.keys(variables.shape), ...fileVariables])
}

/** Parses environment variables. @throws EnvError with all problems at once */
export function parseEnv(given: Record<string, string | undefined>): Env {
  const { values, problems } = readSecretFiles(given)
  const parsed = variables.safeParse(values)
  if (!parsed.success) problems.push(...describeIssues(parsed.error.issues))
  problems.push(...pairs.flatMap((pair) => describeHalfPair(pair, values)))
  if (!parsed.success || problems.length > 0) throw new EnvError(problems)
  return toEnv(parsed.data)
}

function describeIssues(issues: z.core.$ZodIssue[]): string[] {
  const names = new Set(issues.map((issue) => String(issue.path[0])))
  return Object.entries(variables.shape)
    .filter(([name]) => names.has(name))
    .map(([name, schema]) => `${name} must be ${schema.description}`)
}

function describeHalfPair(
  pair: readonly [string, string],
  values: Record<string, string | undefined>,
): string[] {
  const missing = pair.filter((name) => !values[name])
  const given = pair.filter((name) => values[name])
  return missing.length === 1 ? [`${missing.join()} must be given where ${given.join()} is`] : []
}

function toEnv(given: Variables) {
  const operation = toOperation(given)
  return {
    port: given.PORT ?? 3000,
    host: given.HOST ?? '127.0.0.1',
    /** The address for links and redirects; null for the address the server listens on. */
    publicUrl: given.PUBLIC_URL?.[0] ?? null,
    /** All addresses that browsers use; empty for any IP address of this machine. */
    publicUrls: given.PUBLIC_URL ?? [],
    /** The proxies whose X-Forwarded-For counts; null: none. */
    trustProxy: given.TRUST_PROXY ?? null,
    dataDir: given.DATA_DIR ?? fromRoot('data'),
    databaseUrl: given.DATABASE_URL ?? null,
    redisUrl: given.REDIS_URL ?? null,
    musicDir: given.MUSIC_DIR ?? fromRoot('music'),
    /** Empty for the origin of the page. */
    socketServers: given.SOCKET_SERVERS ?? [],
    publicClientKey: given.PUBLIC_CLIENT_KEY ?? null,
    secret: given.SECRET ?? null,
    /** Open what earlier secrets sealed. */
    previousSecrets: given.SECRET_PREVIOUS ?? [],
    /** The addresses differ from the provider's own only in tests, or behind a proxy. */
    spotify: {
      credentials: toCredentials(given.SPOTIFY_CLIENT_ID, given.SPOTIFY_CLIENT_SECRET),
      /** Null for {origin}/callback. */
      redirectUri: given.SPOTIFY_REDIRECT_URI ?? null,
      accountsUrl: trimSlash(given.SPOTIFY_ACCOUNTS_URL ?? 'https://accounts.spotify.com'),
      apiUrl: trimSlash(given.SPOTIFY_API_URL ?? 'https://api.spotify.com'),
      sdkUrl: given.SPOTIFY_SDK_URL ?? 'https://sdk.scdn.co/spotify-player.js',
    },
    youtube: {
      apiKey: given.YOUTUBE_API_KEY ?? null,
      apiUrl: trimSlash(given.YOUTUBE_API_URL ?? 'https://www.googleapis.com/youtube/v3'),
      oembedUrl: given.YOUTUBE_OEMBED_URL ?? 'https://www.youtube.com/oembed',
      /** The script; its origin is also the origin of the player's frame. */
      playerUrl: given.YOUTUBE_PLAYER_URL ?? 'https://www.youtube.com/iframe_api',
    },
    google: toCredentials(given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET),
    signUp: given.SIGN_UP ?? 'open',
    /** From one address. */
    signUpsPerHour:
      given.SIGN_UPS_PER_HOUR ?? Math.ceil(serverLimits.signUpsPerHour * operation.addressScale),
    libraryAccess: given.LIBRARY_ACCESS ?? 'everyone',
    smtpUrl: given.SMTP_URL ?? null,
    /** Null for no-reply at the server's name. */
    mailFrom: given.MAIL_FROM ?? null,
    ...operation,
    logLevel: given.LOG_LEVEL ?? 'info',
  }
}

function toCredentials(clientId: string | undefined, clientSecret: string | undefined) {
  return clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : null
}

function hasDecodableUser(address: string): boolean {
  try {
    const { username, password } = new URL(address)
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** Resolves relative paths from the project's root, not from the working directory. */
function fromRoot(path: string): string {
  return resolve(projectRoot, path)
}

/** Parses the number of proxies in a row, or their addresses, networks and names of networks; null if invalid. */
function parseProxies(value: string): number | string[] | null {
  if (/^[1-9]$/.test(value)) return Number(value)
  const proxies = splitList(value)
  return proxies.length > 0 && areNetworks(proxies) ? proxies : null
}

function areNetworks(proxies: string[]): boolean {
  // The library reads 10 as 0.0.0.10; here it is a number of proxies that is too high.
  if (proxies.some((proxy) => /^\d+(?:\/|$)/.test(proxy))) return false
  try {
    proxyAddr.compile(proxies)
    return true
  } catch {
    return false
  }
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((item) => trimSlash(item.trim()))
    .filter((item) => item !== '')
}
