import type { ReactionKind } from '@earshot/core/protocol/wire-constants'
import { Flame, Heart, Laugh, PartyPopper, Sparkles, ThumbsUp, type LucideIcon } from 'lucide-react'

const icons: Record<ReactionKind, { Icon: LucideIcon; colour: string }> = {
  love: { Icon: Heart, colour: 'text-video' },
  fire: { Icon: Flame, colour: 'text-caution' },
  party: { Icon: PartyPopper, colour: 'text-brand-text' },
  laugh: { Icon: Laugh, colour: 'text-caution' },
  wow: { Icon: Sparkles, colour: 'text-brand-text' },
  thumbs_up: { Icon: ThumbsUp, colour: 'text-brand-text' },
}

export function ReactionIcon({ kind, className }: { kind: ReactionKind; className: string }) {
  const { Icon, colour } = icons[kind]
  return <Icon aria-hidden className={`${colour} ${className}`} />
}
