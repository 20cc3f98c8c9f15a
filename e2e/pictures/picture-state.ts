import type { Locator, Page } from '@playwright/test'
import type { Texts } from './picture-texts.ts'

/**
 * Who looks at a page: the owner of a room that plays, one of its listeners, one whose browser blocks its sound, a visitor
 * without an account, one who joins as a guest, one with an account who comes last, or an administrator. Of the server with
 * providers: the owner of its rooms, and one with an account there and none of Spotify.
 */
export type Viewer =
  | 'owner'
  | 'listener'
  | 'blocked'
  | 'visitor'
  | 'guest'
  | 'stranger'
  | 'admin'
  | ProviderViewer
type ProviderViewer = 'watcher' | 'unconnected'

/** Whether it is a viewer of the server with providers. */
export const isProviderViewer = (viewer: Viewer): viewer is ProviderViewer =>
  viewer === 'watcher' || viewer === 'unconnected'

/** Opens the page of a viewer, or returns it. */
export type OpenViewer = (viewer: Viewer) => Promise<Page>

export interface PictureState {
  name: string
  viewer: Viewer
  /** The address to open first; null to stay on the page of the state before. */
  path: ((rooms: PictureRooms) => string) | null
  /** Brings the page into the state. */
  prepare?: (page: Page, texts: Texts, open: OpenViewer) => Promise<unknown>
  /** Brings what the picture is of into sight, in each size: on a phone, the rail of a room is below the stage. */
  reveal?: (page: Page) => Promise<void>
  /** Brings the page back, so that the next state can be opened. */
  leave?: (page: Page, texts: Texts) => Promise<void>
}

/** The ids of the rooms. */
export interface PictureRooms {
  playing: string
  private: string
  /** Has a queue, and an owner who is away. */
  away: string
  /** With a long name, 60 members and 500 tracks. */
  crowded: string
  /** Of the server with providers: each has tracks of one of them. Empty where no picture needs it. */
  video: string
  spotify: string
}

/** The button with a name that is in sight. */
export const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first()

export const chooseTab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name }).click()

/** Keys count again once what was open has faded out. */
export async function escape(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog], [role=menu]').first().waitFor({ state: 'hidden' })
}
