import type { ComponentProps } from 'react'
import { IconButton } from './icon-button.tsx'
import { Tooltip } from '../popups/tooltip.tsx'

type HintedButtonProps = ComponentProps<typeof IconButton> & {
  /** Replaces the label in the tooltip: why it is disabled, or its shortcut. */
  hint?: string
}

/** An icon button with a tooltip. */
export function HintedButton({ hint, ...button }: HintedButtonProps) {
  return (
    <Tooltip text={hint ?? button.label}>
      <IconButton {...button} />
    </Tooltip>
  )
}
