import { type ComponentType, useEffect, useState } from 'react'
import { common } from '../../texts/common.ts'
import { loadCode } from './load-code.ts'
import { notify } from '../notices/notify.ts'

const loaders: (() => Promise<unknown>)[] = []

interface WantedProps {
  /** Whether to draw the part, and to load its code before. */
  isWanted: boolean
  /**
   * The part is not wanted any more: its code cannot be loaded, or Escape was pressed meanwhile. Without it the part is a
   * decoration, whose absence is not told.
   */
  onGivenUp?: () => void
}

/**
 * Returns a component whose code is loaded once it is wanted, such as the choices of a menu. Where it cannot be loaded, it
 * says so and gives up. Code that is there already is drawn at once, unlike with `lazy`.
 * @param isPopup draws it also when it is not wanted any more, so that it can fade out
 */
export function partOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isPopup = false } = {},
) {
  let loaded: ComponentType<Props> | null = null
  // The browser imports the same code once, however often it is asked for.
  const loadOnce = async () => (loaded ??= await loadCode(load))
  loaders.push(loadOnce)

  return function PartOnDemand({ isWanted, onGivenUp, ...props }: Props & WantedProps) {
    const [Part, setPart] = useState<typeof loaded>(null)
    // Perhaps for another place of the page.
    if (isWanted && Part === null && loaded !== null) setPart(() => loaded)
    const isMissing = isWanted && Part === null
    useEffect(() => {
      if (!isMissing) return
      let isCurrent = true
      const giveUp = ({ key }: KeyboardEvent) => key === 'Escape' && onGivenUp?.()
      window.addEventListener('keydown', giveUp)
      loadOnce().then(
        (Loaded) => isCurrent && setPart(() => Loaded),
        () => {
          if (!isCurrent || !onGivenUp) return
          notify({
            kind: 'error',
            title: common.unloadedTitle,
            text: common.unloadedText,
            action: { label: common.reload, run: () => window.location.reload() },
          })
          onGivenUp()
        },
      )
      return () => {
        isCurrent = false
        window.removeEventListener('keydown', giveUp)
      }
      // oxlint-disable-next-line react/exhaustive-deps -- a new `onGivenUp` is no reason to load again
    }, [isMissing])
    // The rest of the props are those of the part.
    return Part !== null && (isWanted || isPopup) ? <Part {...(props as unknown as Props)} /> : null
  }
}

/** Loads all parts that are loaded on demand. One that fails is loaded when it is wanted. */
export async function loadPartsAhead(): Promise<void> {
  await Promise.allSettled(loaders.map((load) => load()))
}
