import { spotifyScopes } from '@earshot/core/protocol/providers'
import { useQuery } from '@tanstack/react-query'
import { Copy, ExternalLink } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { authLink as texts } from '../../texts/profile.ts'
import { configQuery } from '../../api/account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { notify, withdrawNotice } from '../../ui/notices/notify.ts'
import { parseUrl } from '../../ui/page/parse-url.ts'
import { TextField } from '../../ui/controls/text-field.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'

/** That there is no link: told no longer than until there is one. */
const topic = 'auth-link'

/** The developer page that builds an authorisation link (2.36); it starts with the settings of this server. */
export function SpotifyTestPage() {
  const { data: config } = useQuery(configQuery)
  const [clientIdDraft, setClientId] = useState<string | null>(null)
  const [redirectDraft, setRedirectUri] = useState<string | null>(null)
  const [url, setUrl] = useState<string | null>(null)
  const [errors, setErrors] = useState<Errors>({ clientId: null, redirectUri: null })
  const clientId = clientIdDraft ?? config?.spotifyClientId ?? ''
  const redirectUri = redirectDraft ?? config?.spotifyRedirectUri ?? `${window.location.origin}/callback`
  const generate = (event: FormEvent) => {
    event.preventDefault()
    const found = findErrors(clientId, redirectUri)
    setErrors(found)
    setUrl(null)
    if (found.clientId !== null || found.redirectUri !== null) return
    const generated = toAuthorizationUrl(clientId.trim(), redirectUri.trim())
    if (generated === null) notify({ kind: 'error', topic, title: texts.failed, text: texts.failedText })
    else withdrawNotice(topic)
    setUrl(generated)
  }
  return (
    <div className="mx-auto mt-8 max-w-160 sm:mt-12">
      <PageTitle name={texts.title} />
      <h1 className="text-headline font-semibold tracking-tight">{texts.title}</h1>
      <p className="mt-2 mb-8 text-ink-muted">{texts.text}</p>
      <form
        noValidate
        onSubmit={generate}
        className="flex flex-col gap-6 rounded-2xl bg-surface p-6 ring-1 ring-line ring-inset sm:p-8"
      >
        <TextField
          label={texts.clientId}
          autoComplete="off"
          value={clientId}
          onChange={(event) => setClientId(event.target.value)}
          error={errors.clientId}
        />
        <TextField
          label={texts.redirectUri}
          hint={texts.redirectHint}
          autoComplete="off"
          inputMode="url"
          dir="ltr"
          value={redirectUri}
          onChange={(event) => setRedirectUri(event.target.value)}
          error={errors.redirectUri}
        />
        <Button type="submit" tone="primary" isWide>
          {texts.generate}
        </Button>
        {url !== null && <GeneratedUrl url={url} />}
      </form>
    </div>
  )
}

interface Errors {
  clientId: string | null
  redirectUri: string | null
}

/** 5.10 */
function findErrors(clientId: string, redirectUri: string): Errors {
  return {
    clientId: clientId.trim() === '' ? texts.clientIdRequired : null,
    redirectUri: redirectUri.trim() === '' ? texts.redirectUriRequired : null,
  }
}

function GeneratedUrl({ url }: { url: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      notify({ kind: 'success', title: texts.copied })
    } catch {
      notify({ kind: 'warning', title: texts.copyFailed })
    }
  }
  return (
    <div>
      <p id="auth-url" className="mb-2 text-sm font-medium">
        {texts.url}
      </p>
      <p aria-labelledby="auth-url" className="rounded-md bg-page p-4 font-mono text-xs break-all select-all">
        {url}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button onClick={() => void copy()}>
          <Copy aria-hidden className="size-4" />
          {texts.copy}
        </Button>
        <Button onClick={() => window.open(url, '_blank', 'noopener')}>
          <ExternalLink aria-hidden className="size-4" />
          {texts.open}
        </Button>
      </div>
    </div>
  )
}

/** Returns the address of Spotify's consent page, or null for a redirect address that is not a web address. */
function toAuthorizationUrl(clientId: string, redirectUri: string): string | null {
  const redirect = parseUrl(redirectUri)
  if (redirect === null || !/^https?:$/.test(redirect.protocol)) return null
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: spotifyScopes.join(' '),
    redirect_uri: redirectUri,
    show_dialog: 'true',
  })
  return `https://accounts.spotify.com/authorize?${query}`
}
