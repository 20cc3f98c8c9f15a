import { joinClasses } from '../class-names.ts'

/** When each bar started, in seconds: no two move alike. */
const bars = [-0.9, -0.3, -0.65, -0.1]

/** Four bars, animated while something plays. Decorative: the state is also shown as text. */
export function Equaliser({ isPlaying, className = 'size-4' }: { isPlaying: boolean; className?: string }) {
  return (
    <span
      aria-hidden
      className={`inline-flex items-end justify-between text-brand-text forced-color-adjust-none ${className}`}
    >
      {bars.map((delay) => (
        <span
          key={delay}
          className={joinClasses(
            'h-full w-[18%] origin-bottom rounded-full bg-current',
            isPlaying ? 'animate-equaliser' : '[transform:scaleY(0.2)]',
          )}
          style={{ animationDelay: `${delay}s` }}
        />
      ))}
    </span>
  )
}
