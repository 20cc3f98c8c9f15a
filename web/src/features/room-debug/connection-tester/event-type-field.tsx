import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { tester as texts } from '../../../texts.ts'
import { testEvents, type TestEvent } from './test-message.ts'

interface EventTypeFieldProps {
  value: TestEvent
  onChange: (event: TestEvent) => void
}

/** The device's own list, so that it opens as lists do there. */
export function EventTypeField({ value, onChange }: EventTypeFieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-2 block text-sm font-medium">
        {texts.eventType}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={(change) => {
            const chosen = testEvents.find((event) => event === change.target.value)
            if (chosen) onChange(chosen)
          }}
          className="h-12 w-full appearance-none rounded-md bg-page pr-12 pl-4 text-base ring-1 ring-edge transition-shadow outline-none ring-inset focus-visible:ring-2 focus-visible:ring-brand-text"
        >
          {testEvents.map((event) => (
            <option key={event} value={event} className="bg-surface text-ink">
              {event}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute top-3.5 right-4 size-5 text-ink-muted"
        />
      </div>
    </div>
  )
}
