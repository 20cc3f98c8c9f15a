import { limits } from '@earshot/core/limits'
import { useQuery } from '@tanstack/react-query'
import { Minus, Settings2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { environment as texts } from '../../texts/environment.ts'
import { configQuery } from '../../api/account.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { findSettings, type Setting, type Settings } from './find-settings.ts'

/** Lists the settings that a separately hosted page lacks (2.39); shows nothing if it lacks none. */
export function EnvironmentNotice() {
  const { data: config, error } = useQuery(configQuery)
  if (!config && !error) return null
  const settings = findSettings(config ? { config } : { error }, window.location.origin)
  if (settings.missing.length === 0 && settings.fallbacks.length === 0) return null
  return <Notice settings={settings} />
}

function Notice({ settings: { missing, fallbacks } }: { settings: Settings }) {
  const [isOpen, setOpen] = useState(true)
  const isUrgent = missing.length > 0
  useEffect(() => {
    if (isUrgent) return
    const timer = setTimeout(() => setOpen(false), limits.environmentNoticeMs)
    return () => clearTimeout(timer)
  }, [isUrgent])
  return (
    <aside
      aria-label={texts.title}
      className="fixed end-4 bottom-4 z-40 mx-(--notch) max-w-[calc(100vw-2rem)] with-bar:bottom-[calc(var(--spacing-player)+1rem)] in-room:bottom-[calc(var(--spacing-player)+1rem)]"
    >
      {isOpen ? (
        <div className="w-88 max-w-full rounded-xl bg-surface p-5 shadow-lift ring-1 ring-line ring-inset">
          <header className="mb-3 flex items-center justify-between gap-3">
            <h2 className="font-semibold">{texts.title}</h2>
            <IconButton size="sm" label={texts.collapse} onClick={() => setOpen(false)}>
              <Minus aria-hidden />
            </IconButton>
          </header>
          <SettingList title={texts.missing} settings={missing} />
          <SettingList title={texts.fallbacks} settings={fallbacks} />
          <a href="/setup.html" className="text-sm font-medium text-brand-text underline">
            {texts.setup}
          </a>
        </div>
      ) : (
        <IconButton
          label={texts.open}
          className="bg-surface shadow-lift ring-1 ring-line ring-inset"
          onClick={() => setOpen(true)}
        >
          <Settings2 aria-hidden />
        </IconButton>
      )}
    </aside>
  )
}

function SettingList({ title, settings }: { title: string; settings: readonly Setting[] }) {
  if (settings.length === 0) return null
  return (
    <>
      <h3 className="mb-1 text-sm font-medium">{title}</h3>
      <ul className="mb-4 grid gap-1 text-sm">
        {settings.map(({ name, text }) => (
          <li key={name} className="wrap-anywhere">
            {name}: <span className="text-ink-muted">{text}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
