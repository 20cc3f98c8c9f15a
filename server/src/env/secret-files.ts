import { readFileSync } from 'node:fs'

/** Variables whose value may be in a file, which `NAME_FILE` names: then it is in no environment that others can read. */
const secretNames = [
  'SECRET',
  'SECRET_PREVIOUS',
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'GOOGLE_CLIENT_SECRET',
  'SPOTIFY_CLIENT_SECRET',
  'YOUTUBE_API_KEY',
  'METRICS_TOKEN',
] as const

const fileVariable = (name: string): string => `${name}_FILE`

/** The names of the variables that name a file. */
export const fileVariables: readonly string[] = secretNames.map(fileVariable)

type Values = Record<string, string | undefined>

/** Returns the values with those of the files, and why a file cannot be used. */
export function readSecretFiles(given: Values): { values: Values; problems: string[] } {
  const values = { ...given }
  const problems: string[] = []
  for (const name of secretNames) {
    const path = given[fileVariable(name)]
    if (!path) continue
    if (given[name]) problems.push(`${name} and ${fileVariable(name)} are both set: remove one of them`)
    try {
      values[name] = readFileSync(path, 'utf8').trimEnd()
      if (values[name] === '') problems.push(`${fileVariable(name)} names an empty file`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      problems.push(`${fileVariable(name)} names a file that cannot be read: ${reason}`)
    }
  }
  return { values, problems }
}
