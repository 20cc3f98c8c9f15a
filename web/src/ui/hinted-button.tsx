import type { ComponentProps } from 'react'
import { IconButton } from './icon-button.tsx'
import { Tooltip } from './tooltip.tsx'

type HintedButtonProps = ComponentProps<typeof IconButton> & {
  /** Instead of its name: why it is disabled, which key does the same. */
  hint?: string
}

/** An icon button that says on hover and focus what it is for. */
export function HintedButton({ hint, ...button }: HintedButtonProps) {
  return (
    <Tooltip text={hint ?? button.label}>
      <IconButton {...button} />
    </Tooltip>
  )
}
