import type { Source, SourceStatus } from '@earshot/core/protocol/entities'
import { createRoom, sourceNames } from '../../texts.ts'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { SourceIcon } from '../../ui/source-badge.tsx'

interface SourceChoiceProps {
  sources: readonly SourceStatus[]
  value: Source
  onChange: (source: Source) => void
}

/** Where the room looks for music first. A source that does not work here cannot be chosen, and says why (2.29c). */
export function SourceChoice({ sources, value, onChange }: SourceChoiceProps) {
  return (
    <ChoiceCards
      isStacked
      legend={createRoom.source}
      hint={createRoom.sourceHint}
      name="source"
      value={value}
      onChange={onChange}
      choices={sources.map(({ source, available, reason }) => ({
        value: source,
        title: sourceNames[source],
        text: available ? undefined : (reason ?? createRoom.sourceUnavailable),
        icon: <SourceIcon source={source} />,
        isDisabled: !available,
      }))}
    />
  )
}
