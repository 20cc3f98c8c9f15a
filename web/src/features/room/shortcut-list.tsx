import { useStore } from 'zustand'
import { keyboard } from '../../texts/room.ts'
import { Switch } from '../../ui/controls/switch.tsx'
import { shortcuts, switchShortcuts } from './shortcuts.ts'

/** Lists the keyboard shortcuts of the room, and switches them off. */
export function ShortcutList() {
  const { areOn } = useStore(shortcuts)
  return (
    <>
      <dl className="flex flex-col gap-3">
        {keyboard.keys.map(({ key, does }) => (
          <div key={key} className="flex items-center justify-between gap-6">
            <dt className="order-last">
              <kbd
                dir="ltr"
                className="inline-grid h-8 min-w-8 place-items-center rounded-sm bg-raised px-2.5 font-sans text-sm font-medium ring-1 ring-line ring-inset"
              >
                {key}
              </kbd>
            </dt>
            <dd className="text-ink-muted">{does}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-6 border-t border-line pt-5">
        <Switch label={keyboard.switch} hint={keyboard.switchHint} isOn={areOn} onChange={switchShortcuts} />
      </div>
    </>
  )
}
