import { expect } from '@playwright/test'
import { setTimeout as delay } from 'node:timers/promises'
import { callExpression, type Engine } from './engine.ts'

/** The room page in a browser that Playwright does not drive. */

const patience = { timeout: 40_000 }

/** Waits until an expression of the page is true. */
export async function waitFor(engine: Engine, expression: string): Promise<void> {
  await expect
    .poll(() => engine.evaluate(expression).catch(() => null), {
      ...patience,
      message: `${engine.name}: ${expression}`,
    })
    .toBe(true)
}

/** Waits until a button is shown, and clicks it as a person does. */
export async function click(engine: Engine, name: string): Promise<void> {
  await waitFor(engine, callExpression(hasButton, name))
  const { x, y } = (await engine.evaluate(callExpression(findButton, name))) as { x: number; y: number }
  await engine.clickAt(x, y)
}

export const showsButton = (engine: Engine, name: string): Promise<void> =>
  waitFor(engine, callExpression(hasButton, name))

/** Reads the sync badge. */
export async function readBadge(engine: Engine): Promise<string> {
  return String(await engine.evaluate(callExpression(findBadge)))
}

const sounding = /In sync|Correcting/

/** Waits until the badge shows that sound plays. */
export async function waitUntilSounding(engine: Engine): Promise<void> {
  await expect.poll(() => readBadge(engine), { ...patience, message: engine.name }).toMatch(sounding)
}

/** A start counts as blocked after 1.5 s. Until then the badge may say for an instant that it corrects. */
const blockedWithinMs = 2_000

/** Waits until a page that was opened again sounds, with the tap that the browser may require. */
export async function resume(engine: Engine): Promise<void> {
  const isBlocked = callExpression(hasButton, 'Tap to listen')
  await expect(async () => {
    if ((await engine.evaluate(isBlocked)) === true) await click(engine, 'Tap to listen')
    expect(await readBadge(engine), engine.name).toMatch(sounding)
    await delay(blockedWithinMs)
    expect(await readBadge(engine), engine.name).toMatch(sounding)
  }).toPass(patience)
}

/** Runs the diagnosis of the debug tools and reads its facts by their labels. */
export async function diagnose(engine: Engine): Promise<Record<string, string>> {
  await click(engine, 'Show Debug Tools')
  await click(engine, 'Run diagnosis')
  await waitFor(engine, `Boolean((${callExpression(readFacts)})['Player'])`)
  return (await engine.evaluate(callExpression(readFacts))) as Record<string, string>
}

// The functions below run in the page.

function hasButton(name: string): boolean {
  const named = (button: HTMLButtonElement) => (button.ariaLabel ?? button.textContent).trim() === name
  const splash = document.querySelector('#root > output')
  return (
    !splash && [...document.querySelectorAll('button')].some((button) => named(button) && !button.disabled)
  )
}

function findButton(name: string): { x: number; y: number } {
  const named = (button: HTMLButtonElement) => (button.ariaLabel ?? button.textContent).trim() === name
  const button = [...document.querySelectorAll('button')].find(named)
  button?.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left = 0, top = 0, width = 0, height = 0 } = button?.getBoundingClientRect() ?? {}
  return { x: left + width / 2, y: top + height / 2 }
}

function findBadge(): string {
  const buttons = [...document.querySelectorAll('#stage button')]
  return buttons.find((button) => button.textContent.startsWith('Your sync'))?.textContent ?? ''
}

function readFacts(): Record<string, string> {
  const terms = [...document.querySelectorAll('dt')]
  return Object.fromEntries(
    terms.map((term) => [term.textContent, term.nextElementSibling?.textContent ?? '']),
  )
}
