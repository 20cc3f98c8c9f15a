/** A browser of some engine, driven by a standard protocol, with one window. */
export interface Engine {
  name: string
  version: string
  setCookie(cookie: Cookie): Promise<void>
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Goes back in the history, to a page that the browser may have kept. */
  goBack(): Promise<void>
  /** Runs an expression in the page, awaits it and returns its value as JSON. */
  evaluate(expression: string): Promise<unknown>
  /** Clicks at a point of the viewport as a person does, which counts as a user gesture. */
  clickAt(x: number, y: number): Promise<void>
  /** Opens an empty tab in front of the page. */
  coverWithTab(): Promise<void>
  /** Brings the page's tab to the front again. */
  uncover(): Promise<void>
  close(): Promise<void>
}

export interface Cookie {
  name: string
  value: string
  domain: string
}

export interface EngineOptions {
  /** Environment that selects the sound device; see `sound/sound-server.ts`. */
  sound: Record<string, string>
  /** Whether pages may play sound before a user gesture. Browsers forbid it by default. */
  mayAutoplay: boolean
}

/** An expression that calls a function of this file's language with JSON arguments. */
export const callExpression = <Args extends unknown[]>(
  work: (...args: Args) => unknown,
  ...args: NoInfer<Args>
): string => `(${work.toString()})(${args.map((arg) => JSON.stringify(arg)).join(', ')})`
