import type { Source, SourceStatus } from '@earshot/core/protocol/entities'
import { sourceNames } from '../../../texts/common.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { SourceIcon } from '../../../ui/source-badge.tsx'

interface SourceToggleProps {
  sources: readonly SourceStatus[]
  value: Source
  onChange: (source: Source) => void
}

/** Chooses one of the available sources, and explains why the others are unavailable (2.26a). */
export function SourceToggle({ sources, value, onChange }: SourceToggleProps) {
  const missing = sources.filter((status) => !status.available)
  return (
    <fieldset className="mb-4">
      <legend className="sr-only">{texts.source}</legend>
      <div className="flex gap-1 rounded-full bg-raised p-1">
        {sources
          .filter((status) => status.available)
          .map(({ source }) => (
            <label
              key={source}
              className="relative flex h-9 min-w-0 flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-full px-2 text-sm font-medium text-ink-muted transition-colors has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-brand-text"
            >
              <input
                type="radio"
                name="music-source"
                className="sr-only"
                checked={source === value}
                onChange={() => onChange(source)}
              />
              <SourceIcon source={source} className="size-4 shrink-0" />
              {sourceNames[source]}
            </label>
          ))}
      </div>
      {missing.length > 0 && <MissingSources missing={missing} />}
    </fieldset>
  )
}

function MissingSources({ missing }: { missing: readonly SourceStatus[] }) {
  return (
    <details className="group mt-2 px-1 text-xs text-ink-muted">
      <summary className="rounded-sm py-1 select-none hover:text-ink">
        {texts.missing(missing.map(({ source }) => sourceNames[source]))}
      </summary>
      <ul className="mt-1 flex flex-col gap-1.5 pb-1">
        {missing.map(({ source, reason }) => (
          <li key={source}>
            <span className="font-medium text-ink">{sourceNames[source]}:</span> {reason ?? texts.unavailable}
          </li>
        ))}
      </ul>
    </details>
  )
}
