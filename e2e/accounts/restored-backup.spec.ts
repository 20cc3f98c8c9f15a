import { expect, test } from '../support/fixtures.ts'
import { openRoom, press } from '../support/room-page.ts'
import { addTracks, readPlayback } from '../support/rooms.ts'

test.use({ appOptions: {} })

test('16.277 open pages, reloaded ones too, follow a room that was restored from a backup', async ({
  app,
  owner: { page, context },
  room,
}) => {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, ['Glasshouse', 'Orchard Path'])
  await expect(button('Play')).toBeEnabled()
  const rooms = (await app.database()).selectFrom('rooms').selectAll().where('id', '=', room.id)
  const backup = await rooms.executeTakeFirstOrThrow()
  const isPlaying = async () => (await readPlayback(app, room.id)).is_playing
  const restore = async () => {
    await app.kill()
    await (await app.database()).updateTable('rooms').set(backup).where('id', '=', room.id).execute()
    await app.restart()
  }

  await press(page, 'Play')
  await expect.poll(isPlaying).toBe(true)
  await expect(button('Pause')).toBeVisible()
  await restore()
  await expect(button('Play')).toBeVisible()
  await press(page, 'Play')
  await expect.poll(isPlaying).toBe(true)
  await expect(button('Pause')).toBeVisible()

  await restore()
  await page.reload()
  await expect(button('Play')).toBeVisible()
  await press(page, 'Play')
  await expect.poll(isPlaying).toBe(true)
  await expect(button('Pause')).toBeVisible()
})
