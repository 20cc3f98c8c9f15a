import { expect, test } from '../support/fixtures.ts'

test('17.67 without a network a reload shows a page of its own, and the next attempt opens the app again', async ({
  app,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: app.publicUrl, serviceWorkers: 'allow' })
  const page = await context.newPage()
  await page.goto('/')
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  await page.waitForFunction(() =>
    navigator.serviceWorker.ready.then(({ active }) => active?.state === 'activated'),
  )
  await page.reload()
  await expect(page.getByText('Available Rooms')).toBeVisible()
  await context.setOffline(true)
  await page.goto('/explore').catch(() => null)
  await expect(page.getByRole('heading', { name: 'Earshot cannot be reached' })).toBeVisible()
  const cached = await page.evaluate(async () => {
    const requests = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    )
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(cached.toSorted()).toEqual(['/offline.html', '/setup.css'])
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Explore Rooms' })).toBeVisible()
  await context.close()
})

test('17.68 the app can be installed: its manifest and icons are served', async ({ app, request }) => {
  const manifest = (await (await request.get(`${app.url}/manifest.webmanifest`)).json()) as {
    icons: { src: string; sizes: string }[]
    start_url: string
    display: string
  }
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' })
  for (const { src } of manifest.icons) {
    const icon = await request.get(app.url + src)
    expect([src, icon.status(), icon.headers()['content-type']?.startsWith('image/')]).toEqual([
      src,
      200,
      true,
    ])
  }
})
