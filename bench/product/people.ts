import { inTurns } from '../load/bounded-map.ts'
import { ask } from './http-client.ts'

/** Somebody with a session. */
export interface Person {
  /** What to send as the `cookie` header. */
  cookie: string
  /** The loopback address that they come from. */
  from: string
}

const peoplePerAddress = 5
const signUpsAtATime = 2

/**
 * Signs people up over the HTTP API. They come from several loopback addresses, because a server that counts sign-ups by address
 * would make them wait for minutes.
 */
export async function signUpPeople(url: string, count: number): Promise<Person[]> {
  const numbers = Array.from({ length: count }, (_, index) => index)
  return await inTurns(numbers, signUpsAtATime, async (number) => {
    const from = `127.0.0.${2 + Math.floor(number / peoplePerAddress)}`
    const answer = await ask({
      method: 'POST',
      url: `${url}/api/auth/sign-up/email`,
      body: { name: `listener${number}`, email: `listener${number}@example.com`, password: 'correct horse' },
      from,
    })
    const cookie = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
    if (cookie === '') throw new Error('Signing up gave no session')
    return { cookie, from }
  })
}
