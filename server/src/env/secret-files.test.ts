import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder, writeIn } from '../../test/folders.ts'
import { parseEnv } from './env.ts'

const secret = 's'.repeat(40)

it('16.230 secrets are read from the files that NAME_FILE names, without the end of their line', async () => {
  const folder = await makeFolder()
  await writeIn(folder, 'secret', `${secret}\n`)
  await writeIn(folder, 'google', 'google-secret\r\n')
  const env = parseEnv({
    SECRET_FILE: join(folder, 'secret'),
    GOOGLE_CLIENT_ID: 'google-id',
    GOOGLE_CLIENT_SECRET_FILE: join(folder, 'google'),
    GOOGLE_CLIENT_SECRET: '',
    SMTP_URL_FILE: '',
  })
  expect(env).toMatchObject({
    secret,
    google: { clientId: 'google-id', clientSecret: 'google-secret' },
    smtpUrl: null,
  })
})

it('16.230 a value that is given twice, and a file that cannot be used, stop the start', async () => {
  const folder = await makeFolder()
  await writeIn(folder, 'secret', secret)
  await writeIn(folder, 'empty', '\n')
  await writeIn(folder, 'redis', 'http://cache')
  const parse = () =>
    parseEnv({
      SECRET: secret,
      SECRET_FILE: join(folder, 'secret'),
      DATABASE_URL_FILE: join(folder, 'empty'),
      REDIS_URL_FILE: join(folder, 'redis'),
      METRICS_TOKEN_FILE: join(folder, 'missing'),
    })
  expect(parse).toThrow(
    expect.objectContaining({
      problems: [
        'SECRET and SECRET_FILE are both set: remove one of them',
        'DATABASE_URL_FILE names an empty file',
        expect.stringMatching(/^METRICS_TOKEN_FILE names a file that cannot be read: ENOENT/),
        expect.stringMatching(/^REDIS_URL must be an address/),
      ],
    }),
  )
})
