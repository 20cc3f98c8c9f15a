import type { Mail } from './mailer.ts'

/** The mail that confirms the address of a new account. */
export function writeConfirmation(to: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm your account',
    text: [
      'Welcome to Earshot.',
      '',
      'Please confirm your account by opening this link:',
      link,
      '',
      'If you did not sign up, ignore this mail: nothing more will come.',
      '',
    ].join('\n'),
  }
}
