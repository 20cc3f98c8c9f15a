// temporary: main states in other languages and sizes
import { mkdirSync } from 'node:fs'
import { signIn } from './accounts.ts'
import { startApp } from './app.ts'
import { openBrowser } from './browser.ts'
import { hideSplash } from './fixtures.ts'
import { addTracks, createRoom } from './rooms.ts'
const folder = '/tmp/shots2'
mkdirSync(folder, { recursive: true })
const app = await startApp()
const owner = await openBrowser()
const other = await openBrowser()
const visitor = await openBrowser()
for (const b of [owner, other, visitor]) await hideSplash(b.context)
await signIn(app, owner.context, 'Nora')
await signIn(app, other.context, 'Theo')
const db = await app.database()
const id = await createRoom(app, owner.context, { name: 'Sunday Listening Club' })
const priv = await createRoom(app, owner.context, { name: 'Attic Tapes', isPublic: false, password: 'attic' })
await createRoom(app, other.context, { name: 'Late Bus Home' })
const lib = (await (await owner.context.request.get(`${app.url}/api/library`)).json()) as { tracks: { title: string }[] }
await addTracks(app, owner.context, id, lib.tracks.slice(0, 7).map((t) => t.title))
await db.updateTable('profiles').set({ } as never).where('id', '=', 'x').execute().catch(() => null)
const sizes = [[390, 844], [1440, 900]] as const
const extra = process.argv[3] === 'extra'
const run = async (language: string, list: readonly (readonly [number, number])[], tag: string) => {
  for (const b of [owner, other, visitor]) await b.context.addCookies([{ name: 'language', value: language, url: app.url }])
  const p = owner.page
  const shot = async (page: typeof p, name: string) => {
    for (const [width, height] of list) {
      await page.setViewportSize({ width, height })
      await page.waitForTimeout(350)
      await page.screenshot({ path: `${folder}/${tag}-${name}-${width}.png` })
    }
  }
  const step = async (name: string, page: typeof p, go: () => Promise<unknown>, leave?: () => Promise<unknown>) => {
    try { await page.setViewportSize({ width: 1440, height: 900 }); await go(); await shot(page, name); await page.setViewportSize({ width: 1440, height: 900 }); await leave?.() } catch (e) { console.error(tag, name, String(e).slice(0, 300)) }
  }
  const esc = () => p.keyboard.press('Escape')
  await other.page.goto(`${app.url}/room/${id}`)
  const tab = (n: number) => p.getByRole('tab').nth(n).click()
  await step('room-queue', p, async () => { await p.goto(`${app.url}/room/${id}`); await p.locator('#stage').waitFor(); await p.keyboard.press('Space'); await p.waitForTimeout(4000); await tab(0) })
  await step('room-find', p, () => tab(1))
  await step('room-chat', p, async () => { await tab(2); const box = p.locator('textarea').first(); for (const t of ['Morning! What are we starting with?', 'Something slow, it is raining here', 'https://example.org/song']) { await box.fill(t); await box.press('Enter'); await p.waitForTimeout(200) } })
  await step('members', p, () => p.locator('header, [class*=head]').locator('button:has(svg.lucide-users)').first().click(), esc)
  await step('sync', p, () => p.locator('#stage, [data-room]').locator('button[aria-haspopup]').filter({ hasText: /ms|متزامن|sync/i }).first().click(), esc)
  await step('settings', p, () => p.locator('button:has(svg.lucide-settings)').first().click(), esc)
  await step('invite', p, () => p.locator('button:has(svg.lucide-user-plus)').first().click(), esc)
  await step('listen', p, async () => { await p.keyboard.press('f'); await p.waitForTimeout(500) }, esc)
  await step('shortcuts', p, () => p.keyboard.press('?'), esc)
  await step('home', p, async () => { await p.goto(`${app.url}/`); await p.waitForTimeout(800) })
  await step('explore', p, async () => { await p.goto(`${app.url}/explore`); await p.waitForTimeout(800) })
  await step('profile', p, async () => { await p.goto(`${app.url}/profile`); await p.waitForTimeout(800) })
  await step('create', p, async () => { await p.goto(`${app.url}/create-room`); await p.waitForTimeout(500) })
  await step('admin', p, async () => { await p.goto(`${app.url}/admin`); await p.waitForTimeout(800) })
  const v = visitor.page
  await step('login', v, async () => { await v.goto(`${app.url}/login`); await v.waitForTimeout(500) })
  await step('signup', v, async () => { await v.getByRole('tab').nth(1).click() })
  await step('home-visitor', v, async () => { await v.goto(`${app.url}/`); await v.waitForTimeout(800) })
  await step('door', v, async () => { await v.goto(`${app.url}/room/${id}`); await v.waitForTimeout(800) })
  await step('door-private', v, async () => { await v.goto(`${app.url}/room/${priv}`); await v.waitForTimeout(800) })
}
const [, , what] = process.argv
if (what === 'land') { await run('en', [[844, 390]], 'land'); await run('de', [[640, 400]], 'zoom') }
else if (what === 'small') await run('de', [[320, 640]], 'small')
else await run(what ?? 'de', sizes, what ?? 'de')
for (const b of [owner, other, visitor]) await b.close()
await app.stop()
process.exit(0)
