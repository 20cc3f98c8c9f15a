/** Returns the link of an invite. In its fragment, the token reaches no server log. */
export function inviteLink(origin: string, token: string): string {
  return new URL(`/login#invite=${token}`, origin).href
}
