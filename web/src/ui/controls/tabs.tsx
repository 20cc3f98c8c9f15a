import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

interface TabsProps {
  label: string
  value: string
  onChange: (value: string, isByMouse: boolean) => void
  tabs: readonly { value: string; title: string; aside?: ReactNode; panel: ReactNode }[]
  /** Class names of the tab list's wrapper. */
  listClassName?: string
}

/** Tabs with arrow key navigation. Only the active panel has content: the previous one stays for a frame. */
export function Tabs({ label, value, onChange, tabs, listClassName = '' }: TabsProps) {
  const list = useSelectedInSight(value)
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={(next, { event }) => onChange(String(next), isMouseClick(event))}
    >
      <div ref={list} className={listClassName}>
        <BaseTabs.List
          aria-label={label}
          className="relative z-0 flex min-w-fit gap-1 rounded-full bg-raised p-1"
        >
          {tabs.map((tab) => (
            <BaseTabs.Tab
              key={tab.value}
              value={tab.value}
              className="flex h-10 min-w-fit flex-1 items-center justify-center gap-1.5 rounded-full px-2 text-sm font-medium whitespace-nowrap text-ink-muted transition-colors select-none hover:text-ink data-active:text-ink pointer-coarse:h-11"
            >
              {tab.title}
              {tab.aside}
            </BaseTabs.Tab>
          ))}
          <BaseTabs.Indicator className="absolute top-1 left-0 -z-1 h-10 w-(--active-tab-width) translate-x-(--active-tab-left) rounded-full bg-selected shadow-card transition-[translate,width] duration-200 ease-calm pointer-coarse:h-11" />
        </BaseTabs.List>
      </div>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.value} value={tab.value} className="mt-5 rounded-xl">
          {tab.value === value && tab.panel}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}

/** Scrolls a list that is wider than its place, and nothing else, to the selected tab. */
function useSelectedInSight(value: string) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = list.current
    const tab = place?.querySelector('[aria-selected=true]')
    if (!place || !tab || place.scrollWidth <= place.clientWidth) return
    const [outer, inner] = [place.getBoundingClientRect(), tab.getBoundingClientRect()]
    place.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
  }, [value])
  return list
}

/** A key that presses a tab causes a click, too, but none with a count. */
const isMouseClick = (event: Event): boolean =>
  event instanceof MouseEvent && event.detail > 0 && Reflect.get(event, 'pointerType') !== 'touch'
