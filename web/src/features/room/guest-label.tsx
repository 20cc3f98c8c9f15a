import { people } from '../../texts/people.ts'

/** Marks a member or author without an account. */
export function GuestLabel() {
  return (
    <span className="shrink-0 rounded-full bg-raised px-2 text-xs font-normal text-ink-muted">
      {people.guest}
    </span>
  )
}
