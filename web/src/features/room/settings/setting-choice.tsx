import {
  CircleOff,
  Crown,
  DoorClosed,
  DoorOpen,
  Globe,
  Link,
  ListX,
  Lock,
  User,
  UserRoundCheck,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { createRoom } from '../../../texts/create-room.ts'
import { roomSettings as texts } from '../../../texts/room-settings.ts'
import { ChoiceCards } from '../../../ui/controls/choice-cards.tsx'

/** The settings with a choice: their legends, and texts and icon of each value. */
const groups = {
  control: {
    legend: texts.control,
    texts: texts.controlChoices,
    icons: { owner: <Crown />, hand_over: <UserRoundCheck />, everybody: <Users /> },
  },
  skipVotes: {
    legend: texts.skipVotes,
    texts: texts.skipVotesChoices,
    icons: { off: <CircleOff />, half: <Users />, third: <User /> },
  },
  guests: {
    legend: texts.guests,
    texts: texts.guestChoices,
    icons: { nobody: <DoorClosed />, invited: <Link />, everyone: <DoorOpen /> },
  },
  removal: {
    legend: texts.removal,
    texts: texts.removalChoices,
    icons: { anybody: <ListX />, own: <UserRoundCheck /> },
  },
  privacy: {
    legend: texts.privacy,
    texts: {
      public: { title: createRoom.public, text: createRoom.publicText },
      private: { title: createRoom.private, text: createRoom.privateText },
    },
    icons: { public: <Globe />, private: <Lock /> },
  },
}
type Groups = typeof groups
type ValueOf<Name extends keyof Groups> = keyof Groups[Name]['texts'] & string

interface SettingChoiceProps<Name extends keyof Groups> {
  name: Name
  value: ValueOf<Name>
  onChange: (value: ValueOf<Name>) => void
}

/** Chooses the value of one setting of a room. */
export function SettingChoice<Name extends keyof Groups>({
  name,
  value,
  onChange,
}: SettingChoiceProps<Name>) {
  const { legend, texts: choiceTexts, icons } = groups[name]
  const titles = choiceTexts as Record<ValueOf<Name>, { title: string; text: string }>
  const choices = (Object.keys(titles) as ValueOf<Name>[]).map((each) => ({
    value: each,
    ...titles[each],
    icon: (icons as Record<ValueOf<Name>, ReactNode>)[each],
  }))
  return (
    <ChoiceCards isStacked legend={legend} name={name} choices={choices} value={value} onChange={onChange} />
  )
}
