import type { Profile, Source, SourceStatus } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { preferences as texts } from '../../texts/profile.ts'
import { callApi } from '../../api/call-api.ts'
import { profileQuery, sourcesQuery } from '../../api/queries.ts'
import { sourceNames } from '../../texts/common.ts'
import { Card } from '../../ui/card.tsx'
import { ChoiceCards } from '../../ui/controls/choice-cards.tsx'
import { LanguageField } from '../../ui/controls/language-select.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { SourceIcon } from '../../ui/music/source-badge.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { useSaveProfile } from './use-save-profile.ts'

const allSources: readonly Source[] = ['spotify', 'youtube', 'library']

const topic = 'preferences'

type Preferences = Partial<Pick<Profile, 'preferred_source' | 'match_elsewhere'>>

/** The default source, of those that work on this server, and the offer of tracks in another source (2.34, 8.13). */
export function PreferencesCard({ profile: given }: { profile: Profile }) {
  const { data, isError } = useQuery(sourcesQuery)
  const sources = data ?? (isError ? [] : null)
  // Read here too: the page's own is a render late, in which the earlier choice would show once more.
  const { data: profile = given } = useQuery(profileQuery(given.id))
  // The choice shows at once; where saving fails, the stored one shows again.
  const [chosen, setChosen] = useState<Preferences>({})
  const { mutate } = useSaveProfile(
    topic,
    profile.id,
    async (body: Preferences) => (await callApi('PATCH /api/profile', { body })).profile,
  )
  const shown = { ...profile, ...chosen }
  const save = (change: Preferences, text: string) => {
    setChosen({ ...chosen, ...change })
    mutate(change, {
      onSuccess: () => notify({ kind: 'success', topic, title: texts.updated, text }),
      onSettled: () => setChosen({}),
    })
  }
  return (
    <Card title={texts.title}>
      {sources ? (
        <ChoiceCards
          legend={texts.source}
          hint={texts.sourceHint}
          name="preferred-source"
          value={shown.preferred_source}
          onChange={(source) => save({ preferred_source: source }, texts.sourceSet(source))}
          choices={allSources
            .filter((source) => isAvailable(sources, source) || source === profile.preferred_source)
            .map((source) => ({
              value: source,
              title: sourceNames[source],
              text: isAvailable(sources, source) ? undefined : texts.notSetUp,
              icon: <SourceIcon source={source} />,
            }))}
        />
      ) : (
        <Skeleton className="h-30 rounded-md" />
      )}
      <div className="mt-6 border-t border-line pt-5">
        <Switch
          label={texts.matchElsewhere}
          hint={texts.matchElsewhereHint}
          isOn={shown.match_elsewhere}
          onChange={(isOn) =>
            save({ match_elsewhere: isOn }, isOn ? texts.matchElsewhereOn : texts.matchElsewhereOff)
          }
        />
      </div>
      <div className="mt-6 border-t border-line pt-5">
        <LanguageField />
      </div>
    </Card>
  )
}

function isAvailable(sources: readonly SourceStatus[], source: Source): boolean {
  return sources.some((status) => status.source === source && status.available)
}
