import type { Source, SourceStatus } from '@earshot/core/protocol/entities'
import { sourceNames } from '../../../texts/common.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { SourceIcon } from '../../../ui/music/source-badge.tsx'

interface SourceToggleProps {
  sources: readonly SourceStatus[]
  value: Source
  onChange: (source: Source) => void
}

/** Chooses one of the sources that work on this server (2.26a); a single one needs no choice. */
export function SourceToggle({ sources, value, onChange }: SourceToggleProps) {
  const available = sources.filter((status) => status.available)
  if (available.length < 2) return null
  return (
    <fieldset className="mb-4">
      <legend className="sr-only">{texts.source}</legend>
      <div className="flex gap-1 rounded-full bg-raised p-1">
        {available.map(({ source }) => (
          <label
            key={source}
            className="relative flex h-9 min-w-0 flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-full px-2 text-sm font-medium text-ink-muted transition-colors has-checked:bg-selected has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-brand-text pointer-coarse:h-11"
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
    </fieldset>
  )
}
