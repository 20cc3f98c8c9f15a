import type { AccountsState } from './accounts-state.ts'
import type { CatalogueTrack } from './catalogue.ts'
import type { DoublePlaylist } from './playlists.ts'
import type { WebApiJson } from './web-api-json.ts'

/** Settings of the Web API that a test may change at any time. */
export interface WebApiSettings {
  /** How the entries of somebody else's playlist are withheld. Default: 'forbidden' (403). */
  foreignPlaylists: 'forbidden' | 'without-items'
  /** Whether playlists have the names of before February 2026, `tracks` and `track`. Default: false. */
  usesOldFieldNames: boolean
}

/** The state from which the Web API answers. */
export interface WebApiState {
  accounts: AccountsState
  tracks: CatalogueTrack[]
  playlists: DoublePlaylist[]
  settings: WebApiSettings
  json: WebApiJson
}
