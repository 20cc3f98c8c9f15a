import { describe, expect, it } from 'vitest'
import { compressedSize, listFirstLoad } from './first-load.ts'

const page = `<!doctype html><script src="/mode.js"></script>
<script type="module" crossorigin src="/assets/index-1.js"></script>
<link rel="modulepreload" crossorigin href="/assets/shared-1.js">
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/assets/index-1.css">`

const files: Record<string, string> = {
  'index.html': page,
  'mode.js': 'document.body',
  'assets/index-1.js':
    'import{a as b,c}from"./shared-1.js";import"./side-1.js";import d from"./default-1.js";' +
    'const room=()=>import("./room-1.js");const text="import x from \\"no\\"";',
  'assets/shared-1.js': 'import * as e from "./deep-1.js";export{e as a};',
  'assets/side-1.js': 'export{f}from"./deep-1.js"',
  'assets/default-1.js': 'import{g}from"../vendor.js";import{h}from"./index-1.js"',
  'assets/deep-1.js': 'export const f=1',
  'vendor.js': '',
}

describe('the first load of a page', () => {
  it('is what its HTML names and what that imports, each once, and nothing that is loaded later', () => {
    const read = (path: string) => {
      const content = files[path]
      if (content === undefined) throw new Error(`There is no ${path}`)
      return content
    }
    expect(listFirstLoad(read).toSorted()).toEqual([
      'assets/deep-1.js',
      'assets/default-1.js',
      'assets/index-1.css',
      'assets/index-1.js',
      'assets/shared-1.js',
      'assets/side-1.js',
      'mode.js',
      'vendor.js',
    ])
  })

  it('is weighed as brotli sends it', () => {
    const content = Buffer.from('the same words again, '.repeat(200))
    const size = compressedSize(content)
    expect(size).toBeGreaterThan(10)
    expect(size).toBeLessThan(60)
  })
})
