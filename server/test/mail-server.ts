import { expect, onTestFinished, vi } from 'vitest'
import { type MailDouble, openMailDouble } from './mail-double.ts'

export { linkIn } from './mail-double.ts'

/** Opens a mail server for the running test. */
export async function startMailServer(): Promise<MailDouble> {
  const double = await openMailDouble()
  onTestFinished(() => double.close())
  return double
}

/** Waits for a mail to an address; resolves to the last one. */
export function mailTo(mails: readonly string[], address: string): Promise<string> {
  return vi.waitFor(() => {
    const mail = mails.findLast((each) => each.includes(`To: ${address}`)) ?? ''
    expect(mail).not.toBe('')
    return mail
  })
}
