import type { Locator, Page } from '@playwright/test'

/** Contrast that WCAG 2.2 AA asks of text, and of large text, icons and controls. */
const textRatio = 4.5
const largeRatio = 3
/** Of the pixels behind a text, this share may be darker or brighter than what the ratio is taken of. */
const ignoredShare = 0.02

/** A text or an icon, with its colour and where it is drawn. */
interface Drawn {
  what: string
  /** Red, green, blue from 0 to 255, and opacity from 0 to 1. */
  colour: [number, number, number, number]
  isLarge: boolean
  rects: { x: number; y: number; width: number; height: number }[]
}

/**
 * Lists texts and icons of a part of the page whose contrast is too low, measured against the pixels behind them: axe
 * cannot judge what lies over a picture.
 */
export async function findLowContrast(page: Page, part: Locator): Promise<string[]> {
  await waitForFrames(page)
  const drawn = await part.evaluate(listDrawn)
  if (drawn.length === 0) throw new Error('Nothing is drawn there')
  await showText(page, false)
  const behind = await page.screenshot({ animations: 'disabled', scale: 'css' })
  await showText(page, true)
  const ratios = await page.evaluate(measureRatios, {
    drawn,
    behind: behind.toString('base64'),
    ignoredShare,
  })
  return drawn.flatMap(({ what, isLarge }, index) => {
    const ratio = ratios[index] ?? 0
    return ratio < (isLarge ? largeRatio : textRatio) ? [`${what}: ${ratio.toFixed(2)}`] : []
  })
}

/** Waits until the page has drawn itself anew: after a change of its size or mode what is listed moves once more. */
async function waitForFrames(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** A constructed style sheet, because the content security policy blocks injected style elements. */
async function showText(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate((shown) => {
    const style = new CSSStyleSheet()
    style.replaceSync(
      '*, ::placeholder { color: transparent !important; transition: none !important } svg { visibility: hidden !important }',
    )
    document.adoptedStyleSheets = shown
      ? document.adoptedStyleSheets.slice(0, -1)
      : [...document.adoptedStyleSheets, style]
  }, isShown)
}

/** Runs in the page. */
function listDrawn(root: Element): Drawn[] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const readColour = (css: string): [number, number, number, number] => {
    if (!canvas) throw new Error('No canvas')
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = css
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  }
  const opacityOf = (element: Element | null): number =>
    element === null ? 1 : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement)
  const isOnTop = (element: Element, { left, top, width, height }: DOMRect) => {
    const found = document.elementFromPoint(left + width / 2, top + height / 2)
    return found !== null && (element.contains(found) || found.contains(element))
  }
  const describe = (element: Element, text: string, rects: DOMRect[]): Drawn[] => {
    const seen = rects.filter((rect) => rect.width > 2 && rect.height > 2 && isOnTop(element, rect))
    const style = getComputedStyle(element)
    // Disabled controls need no contrast.
    if (
      seen.length === 0 ||
      style.visibility === 'hidden' ||
      element.closest(':disabled, [aria-disabled=true]')
    )
      return []
    const opacity = opacityOf(element)
    if (opacity === 0 || element.closest('.sr-only')) return []
    const [red, green, blue, alpha] = readColour(style.color)
    const px = parseFloat(style.fontSize)
    const isIcon = element instanceof SVGElement
    return [
      {
        what: text,
        colour: [red, green, blue, alpha * opacity],
        isLarge: isIcon || px >= 24 || (px >= 18.66 && Number(style.fontWeight) >= 700),
        rects: seen.map(({ x, y, width, height }) => ({ x, y, width, height })),
      },
    ]
  }
  const texts: Drawn[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim()
    if (!text || !node.parentElement) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    texts.push(...describe(node.parentElement, text, [...range.getClientRects()]))
  }
  const icons = [...root.querySelectorAll('svg.lucide')].flatMap((icon) =>
    describe(icon, `icon ${icon.getAttribute('class') ?? ''}`, [icon.getBoundingClientRect()]),
  )
  return [...texts, ...icons]
}

/** Runs in the page. Resolves to the ratio of each, against the pixel behind it that is the most like it. */
async function measureRatios(facts: {
  drawn: Drawn[]
  behind: string
  ignoredShare: number
}): Promise<number[]> {
  const bytes = Uint8Array.from(atob(facts.behind), (letter) => letter.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {
    willReadFrequently: true,
  })
  if (!canvas) throw new Error('No canvas')
  canvas.drawImage(bitmap, 0, 0)
  const linear = (value: number) =>
    value <= 0.03928 * 255 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  const luminance = (red: number, green: number, blue: number) =>
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  return facts.drawn.map(({ colour: [red, green, blue, alpha], rects }) => {
    const mix = (front: number, behind: number) => front * alpha + behind * (1 - alpha)
    const ratioOver = (r: number, g: number, b: number) => {
      const behind = luminance(r, g, b)
      const front = luminance(mix(red, r), mix(green, g), mix(blue, b))
      return (Math.max(behind, front) + 0.05) / (Math.min(behind, front) + 0.05)
    }
    // Few colours lie behind a text, on many pixels.
    const pixels = new Map<number, number>()
    for (const { x, y, width, height } of rects) {
      const left = Math.max(0, Math.floor(x))
      const top = Math.max(0, Math.floor(y))
      const right = Math.min(bitmap.width, Math.ceil(x + width))
      const bottom = Math.min(bitmap.height, Math.ceil(y + height))
      if (right <= left || bottom <= top) continue
      const { data } = canvas.getImageData(left, top, right - left, bottom - top)
      for (const pixel of new Uint32Array(data.buffer)) pixels.set(pixel, (pixels.get(pixel) ?? 0) + 1)
    }
    // Off the screen, where nothing is read.
    if (pixels.size === 0) return Infinity
    const counted = Array.from(pixels, ([pixel, count]) => {
      const [r, g, b] = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]
      return { ratio: ratioOver(r, g, b), count }
    }).toSorted((one, other) => one.ratio - other.ratio)
    let left = Math.floor(counted.reduce((sum, { count }) => sum + count, 0) * facts.ignoredShare)
    return counted.find(({ count }) => (left -= count) < 0)?.ratio ?? 0
  })
}
