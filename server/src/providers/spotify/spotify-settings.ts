import type { Env } from '../../env.ts'

export type SpotifySettings = Env['spotify']
export type SpotifyCredentials = NonNullable<SpotifySettings['credentials']>
