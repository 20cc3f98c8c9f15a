/** The choice of a user on the consent page. */
export interface Decision {
  /** Default: the first user on the page. */
  userId?: string
  /** Default: true. */
  agrees?: boolean
}

/**
 * Opens a consent page and presses 'Agree' or 'Cancel', as a browser would.
 * @returns the address that the page redirects to
 * @throws if the page shows an error instead
 */
export async function consentTo(
  authorizeUrl: string,
  { userId, agrees = true }: Decision = {},
): Promise<string> {
  const page = await fetch(authorizeUrl, { redirect: 'manual' })
  const html = await page.text()
  if (page.status !== 200) throw new Error(`The consent page answered ${page.status}: ${html}`)
  const { origin, searchParams } = new URL(authorizeUrl)
  const [, firstUser = ''] = /<option value="([^"]*)"/.exec(html) ?? []
  const answer = await fetch(`${origin}/authorize/accept`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      request: searchParams.toString(),
      user: userId ?? firstUser,
      decision: agrees ? 'agree' : 'cancel',
    }),
  })
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`The consent page did not redirect: ${await answer.text()}`)
  return location
}
