import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { sourceNames } from './common.ts'
import { named } from './grammar/named.ts'

/** The texts of signing in and up, and of resetting a password. */

export const login = {
  title: 'Sign in',
  heroTitle: 'Music is better together',
  heroText: 'Connect your own music services, or start with the music on this server.',
  connect: { spotify: 'Connect Spotify', youtube: 'Connect YouTube' },
  cardTitle: 'Join the community!',
  cardText: 'With an account you create rooms and keep your name.',
  signIn: 'Sign In',
  signUp: 'Sign Up',
  signingIn: 'Signing in',
  signingUp: 'Signing up',
  email: 'Email',
  password: 'Password',
  passwordHint: `At least ${limits.passwordMinLength} characters`,
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  or: 'or',
  google: 'Google',
  googleNotice: 'This feature is not implemented yet',
  signInFailed: 'Failed to sign in',
  signUpFailed: 'Failed to sign up',
  loginFailedTitle: 'Login failed',
  loginFailedText: 'An error occurred during login',
  hasPassword: 'This address already has a password here: sign in with it.',
  signInFirst: 'Sign in to the account whose email you are changing, then open the link in the mail again.',
  registrationFailedTitle: 'Registration failed',
  registrationFailedText: 'An error occurred during registration',
  registrationSuccess: 'Registration successful',
  registrationSuccessText: 'Please check your email to confirm your account',
  notConfirmed:
    'Your email address is not confirmed yet. Open the link in our latest mail. We send at most five an hour, and each link works for an hour.',
  confirmed: 'Your account is confirmed',
  confirmedText: 'You can sign in now.',
  confirmedOther: (name: string) =>
    named`In this browser you are signed in as ${name}. To use the confirmed account, sign out first.`,
  confirmFailed: 'This link does not work any more',
  confirmFailedText:
    'It has expired or is damaged. Sign in: if your email address is not confirmed yet, we send a new link.',
}

/** The server's rule for sign-ups (16.30). */
export const signUpRule = {
  closed: 'This server accepts no new accounts.',
  byInvitation: 'Sign-up is by invitation. Open the link that you were given.',
  invited: 'You are invited to this server. Create your account.',
  ended: 'This invitation is used up or has expired. Ask for a new one.',
}

/** The connection of accounts at the providers (8.1, 8.12). */
export const connecting = {
  signedOut: (source: Source) => `You must be logged in to connect to ${sourceNames[source]}`,
  failed: { spotify: 'Failed to connect Spotify', youtube: 'Failed to connect YouTube Music' },
  unknownError: 'An unknown error occurred',
  spotifyConnected: 'Spotify connected',
  youtubeConnected: 'YouTube Music Connected',
  youtubeConnectedText: 'Successfully connected to YouTube Data API',
}

/** The name that a sign-up may choose. */
export const signUpName = {
  label: 'Name',
  placeholder: 'The name that others see',
  hint: 'Optional. Without one, others see the part of your email before the @.',
  guestHint: 'Optional. Without one, you keep the name that you have as a guest.',
}

/** A new password by mail. */
export const resetPassword = {
  forgot: 'Forgot password?',
  title: 'Set a new password',
  requestText: 'Enter the email address of your account. We will send you a link to set a new password.',
  send: 'Send Link',
  sending: 'Sending',
  sent: 'If there is an account with this address, we have sent a link.',
  sentText: 'The link works for an hour. If no email arrives, look in your spam folder.',
  sentWithoutMail: 'This server sends no email: ask whoever runs it for the link.',
  sendFailed: 'The link could not be sent. Try again in a moment.',
  text: 'Choose a new password for your account. You will be signed out everywhere.',
  newPassword: 'New Password',
  save: 'Set Password',
  saving: 'Saving',
  saved: 'Your password has been changed',
  savedText: 'Sign in with your new password.',
  saveFailed: 'The password could not be changed. Try again in a moment.',
  unusable: 'This link has expired or was already used.',
  unusableText: 'We can send you a new one.',
  backToSignIn: 'Back to Sign In',
}
