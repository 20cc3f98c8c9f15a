import { NavLink } from 'react-router'
import { topBar } from '../../texts.ts'

const links = [
  { to: '/', title: topBar.home },
  { to: '/create-room', title: topBar.createRoom },
] as const

export function NavLinks() {
  return links.map(({ to, title }) => (
    <NavLink
      key={to}
      to={to}
      className="rounded-full px-4 py-2 text-sm font-medium text-ink-muted transition-colors hover:bg-raised hover:text-ink aria-[current=page]:text-ink max-sm:py-3 max-sm:text-base"
    >
      {title}
    </NavLink>
  ))
}
