import { encode } from 'uqr'
import { invite as texts } from '../../texts/room.ts'

/** The space around a code that scanners need, in modules. */
const quiet = 2

/** Shows a link as a QR code: dark on light in both colour modes, because some scanners read nothing else. Loaded when it is opened. */
export function InviteCode({ link }: { link: string }) {
  const { data, size } = encode(link, { border: quiet })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return (
    <figure>
      <figcaption className="sr-only">{texts.code}</figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="mx-auto size-48 rounded-md bg-page text-ink scheme-light"
      >
        <path d={path} fill="currentColor" />
      </svg>
    </figure>
  )
}
