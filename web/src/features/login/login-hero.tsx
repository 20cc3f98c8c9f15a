import type { Source } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { sourcesQuery } from '../../api/queries.ts'
import { login } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { SourceIcon } from '../../ui/source-badge.tsx'

const providers = ['spotify', 'youtube'] as const satisfies Source[]

/** Why to come in, and the music services that could come along. */
export function LoginHero() {
  const { data: sources = [] } = useQuery(sourcesQuery)
  return (
    <section className="relative isolate flex flex-col justify-center overflow-hidden rounded-2xl bg-page px-6 py-10 text-ink scheme-dark ring-1 ring-line sm:px-12 sm:py-14">
      <div aria-hidden className="absolute inset-0 -z-10 hero-glow" />
      <h1 className="text-display font-semibold tracking-tight">{login.heroTitle}</h1>
      <p className="mt-4 max-w-108 text-lg text-pretty text-ink-muted">{login.heroText}</p>
      <ul className="mt-8 grid max-w-120 gap-4 sm:grid-cols-2">
        {providers.map((provider) => {
          const reason = sources.find(({ source }) => source === provider)?.reason
          return (
            <li key={provider}>
              <Button isWide disabled aria-describedby={`connect-${provider}`}>
                <SourceIcon source={provider} className="size-5" />
                {login.connect[provider]}
              </Button>
              <p id={`connect-${provider}`} className="mt-2 text-xs text-ink-muted">
                {reason ?? login.connectUnavailable[provider]}
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
