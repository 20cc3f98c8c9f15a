import type { ReactNode } from 'react'
import { joinClasses } from '../class-names.ts'

interface Choice<Value extends string> {
  value: Value
  title: string
  text?: string
  icon: ReactNode
  isDisabled?: boolean
}

interface ChoiceCardsProps<Value extends string> {
  legend: string
  hint?: string
  name: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** Stacks the cards, for long texts. */
  isStacked?: boolean
}

/** A radio group of cards, each with an explanation. */
export function ChoiceCards<Value extends string>(props: ChoiceCardsProps<Value>) {
  const { legend, hint, name, choices, value, onChange, isStacked = false } = props
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      <div className={joinClasses('grid gap-3', !isStacked && 'sm:auto-cols-fr sm:grid-flow-col')}>
        {choices.map((choice) => (
          <ChoiceCard
            key={choice.value}
            choice={choice}
            name={name}
            isChosen={choice.value === value}
            onChoose={() => onChange(choice.value)}
          />
        ))}
      </div>
      {hint !== undefined && <p className="mt-2 text-sm text-ink-muted">{hint}</p>}
    </fieldset>
  )
}

interface ChoiceCardProps<Value extends string> {
  choice: Choice<Value>
  name: string
  isChosen: boolean
  onChoose: () => void
}

function ChoiceCard<Value extends string>({ choice, name, isChosen, onChoose }: ChoiceCardProps<Value>) {
  return (
    <label className="group relative flex cursor-pointer items-start gap-3 rounded-md bg-page p-4 ring-1 ring-edge transition-shadow ring-inset has-checked:bg-brand-soft has-checked:ring-2 has-checked:ring-brand-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-text has-disabled:cursor-not-allowed has-disabled:ring-line">
      <input
        type="radio"
        className="sr-only"
        name={name}
        value={choice.value}
        checked={isChosen}
        disabled={choice.isDisabled}
        onChange={onChoose}
      />
      <span className="mt-0.5 text-ink-muted group-has-checked:text-brand-text [&>svg]:size-5">
        {choice.icon}
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="block text-sm font-medium group-has-disabled:text-ink-muted">{choice.title}</span>
        {choice.text !== undefined && <span className="block text-sm text-ink-muted">{choice.text}</span>}
      </span>
    </label>
  )
}
