import { Moon, Sun } from 'lucide-react'
import { topBar } from '../../texts.ts'
import { useColourMode } from '../../ui/colour-mode.ts'
import { IconButton } from '../../ui/icon-button.tsx'

export function ColourModeToggle() {
  const [mode, setMode] = useColourMode()
  const isDark = mode === 'dark'
  const label = isDark ? topBar.useLightMode : topBar.useDarkMode
  return (
    <IconButton label={label} title={label} onClick={() => setMode(isDark ? 'light' : 'dark')}>
      {isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  )
}
