import { library as texts } from '../../../../texts/library.ts'

interface LetterJumpProps {
  /** Empty: from the start. */
  value: string
  onChange: (from: string) => void
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** Chooses the letter at which a list starts. */
export function LetterJump({ value, onChange }: LetterJumpProps) {
  return (
    <label className="flex items-center gap-2 text-xs text-ink-muted">
      {texts.jump}
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 rounded-full bg-raised px-3 text-sm text-ink ring-1 ring-line ring-inset pointer-coarse:h-11"
      >
        <option value="">{texts.fromStart}</option>
        {letters.map((letter) => (
          <option key={letter} value={letter.toLowerCase()}>
            {letter}
          </option>
        ))}
      </select>
    </label>
  )
}
