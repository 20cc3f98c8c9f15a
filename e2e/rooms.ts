import { expect, type BrowserContext, type Page } from '@playwright/test'
import type { App } from './app.ts'

export interface Person {
  name: string
  email: string
  password: string
}

let peopleMade = 0

/** Somebody with an address that nobody else has. */
export function makePerson(name: string): Person {
  peopleMade += 1
  return { name, email: `${name}${peopleMade}@example.com`, password: 'correct horse' }
}

/**
 * Signs somebody up through the API, so that the browser holds the session, also where it knows the server under
 * another address. For tests about something else.
 */
export async function signUp(
  app: App,
  context: BrowserContext,
  person: Person,
  pageUrl = app.publicUrl,
): Promise<void> {
  const response = await context.request.post(`${app.url}/api/auth/sign-up/email`, {
    headers: { origin: app.publicUrl },
    data: { name: person.name, email: person.email, password: person.password },
  })
  if (!response.ok()) throw new Error(`Sign-up failed: ${response.status()} ${await response.text()}`)
  const { hostname } = new URL(pageUrl)
  if (hostname !== new URL(app.url).hostname) await copySession(app, context, hostname)
}

/** Requests find the server only by its own address, pages by another one: the session is to hold for both. */
async function copySession(app: App, context: BrowserContext, hostname: string): Promise<void> {
  const cookies = await context.cookies(app.url)
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: hostname })))
}

/** Signs somebody up as a visitor would: through the page. */
export async function signUpByHand(page: Page, app: App, person: Person): Promise<void> {
  await page.goto(`${app.url}/login`)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
}

/** Makes a room through the API and returns its id. */
export async function createRoom(
  app: App,
  context: BrowserContext,
  room: { name: string; isPublic?: boolean; password?: string },
): Promise<string> {
  const response = await context.request.post(`${app.url}/api/rooms`, {
    headers: { origin: app.publicUrl },
    data: room,
  })
  if (!response.ok()) throw new Error(`No room: ${response.status()} ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  return id
}

const foundWithinMs = 15_000

/** Adds tracks of the library to a room through the API, as soon as the server has found them. */
export async function addTracks(
  app: App,
  context: BrowserContext,
  roomId: string,
  titles: string[],
): Promise<void> {
  const readLibrary = async () => {
    const response = await context.request.get(`${app.url}/api/library`)
    return ((await response.json()) as { tracks: { id: string; title: string }[] }).tracks
  }
  const readTitles = async () => (await readLibrary()).map((track) => track.title)
  await expect.poll(readTitles, { timeout: foundWithinMs }).toEqual(expect.arrayContaining(titles))
  const library = await readLibrary()
  for (const title of titles) {
    const response = await context.request.post(`${app.url}/api/rooms/${roomId}/queue`, {
      headers: { origin: app.publicUrl },
      data: { trackId: library.find((track) => track.title === title)?.id },
    })
    if (!response.ok()) throw new Error(`Not added: ${response.status()} ${await response.text()}`)
  }
}
