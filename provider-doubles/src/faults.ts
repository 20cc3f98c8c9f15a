/** An answer that replaces the usual one, or delays it. */
export interface Fault {
  /** Without a status the usual answer follows, after `delayMs` and `until`. */
  status?: number
  headers?: Record<string, string>
  /** Text is sent as it is; anything else as JSON. */
  body?: unknown
  delayMs?: number
  /** Answers once this resolves. */
  until?: Promise<void>
  /** Closes the connection instead of answering. */
  hangUp?: boolean
  /** Only for requests with these parameters. */
  query?: Record<string, string>
}

/** The faults that a test has switched on. The first that matches a request and is not used up applies. */
export class Faults {
  #entries: { target: string; fault: Fault; left: number }[] = []

  /**
   * Switches a fault on.
   * @param target the beginning of a path ('/v1/search'), or a method and the beginning of a path ('GET /v1/search')
   * @param times for how many requests; default: until `clear`
   */
  add(target: string, fault: Fault, times = Infinity): void {
    this.#entries.push({ target, fault, left: times })
  }

  clear(): void {
    this.#entries = []
  }

  /** Returns the fault for a request and counts it as used; undefined for the usual answer. */
  take(method: string, path: string, query: Record<string, string>): Fault | undefined {
    const entry = this.#entries.find(
      ({ target, fault, left }) => left > 0 && matches(target, method, path) && hasAll(query, fault.query),
    )
    if (entry) entry.left -= 1
    return entry?.fault
  }
}

function matches(target: string, method: string, path: string): boolean {
  return target.startsWith('/') ? path.startsWith(target) : `${method} ${path}`.startsWith(target)
}

const hasAll = (query: Record<string, string>, wanted: Record<string, string> = {}): boolean =>
  Object.entries(wanted).every(([name, value]) => query[name] === value)

/** A body that no parser of JSON accepts, sent as JSON. */
export const garbage: Fault = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '<html>{"not": json',
}

export const serverError: Fault = { status: 500, body: { error: { status: 500, message: 'Server error' } } }
