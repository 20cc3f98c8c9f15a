import { youtubeSettings } from '@earshot/provider-doubles/server-settings'
import { defaultApiKey } from '@earshot/provider-doubles/youtube/youtube-double'
import { expect, test as base } from '../support/fixtures.ts'
import { nowPlaying, openRoom, press } from '../support/room-page.ts'
import { addVideo, expectOnTimeline } from './youtube-room.ts'

const test = base.extend({
  serverEnv: ({ youtube }, provide) => provide(youtubeSettings(youtube, defaultApiKey)),
})

test('15.109 a video that is blocked in the country of a listener plays for the others, and is skipped where it is blocked for all', async ({
  app,
  owner,
  listener,
  room,
  youtube,
}) => {
  youtube.control.setCountry('FR')
  await openRoom(owner.page, app.url, room.id)
  await addVideo(app, owner, room.id, 'blocked_de1')
  await addVideo(app, owner, room.id, 'harbour0001')
  await press(owner.page, 'Play')
  await expectOnTimeline(app, room.id, owner.page)

  youtube.control.setCountry('DE')
  await openRoom(listener.page, app.url, room.id)
  await expect(nowPlaying(listener.page).getByText('This track is blocked for you')).toBeVisible()
  await expectOnTimeline(app, room.id, owner.page)

  const skipped = expect(
    listener.page.getByText(/is blocked for everybody here, so it was skipped/).first(),
  ).toBeVisible()
  await Promise.all([skipped, owner.page.reload()])
  for (const { page } of [owner, listener]) {
    await expect(nowPlaying(page).getByRole('heading', { name: 'Harbour Lights' })).toBeVisible()
  }
  youtube.control.setCountry('FR')
})
