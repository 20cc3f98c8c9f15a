import reference from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { answerCalls } from '../async/worker-calls.ts'

export interface DocsPage {
  html: string
  /** 4 MB. */
  script: Uint8Array
}

export interface DocsPageOptions {
  pagePath: `/${string}`
  scriptPath: string
  documentPath: string
  /** Admits the page's inline script. */
  nonce: string
}

export type DocsCalls = { makePage: (options: DocsPageOptions) => Promise<DocsPage> }

async function makePage(options: DocsPageOptions): Promise<DocsPage> {
  const { pagePath, scriptPath, documentPath, nonce } = options
  const server = fastify()
  await server.register(reference, {
    routePrefix: pagePath,
    configuration: {
      url: documentPath,
      nonce,
      withDefaultFonts: false,
      telemetry: false,
      // These call or link to other hosts.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      pageTitle: 'Earshot API',
      favicon: '/icon.svg',
    },
  })
  const { body: html } = await server.inject(`${pagePath}/`)
  const { rawPayload: script } = await server.inject(scriptPath)
  await server.close()
  return { html, script }
}

answerCalls({ makePage } satisfies DocsCalls)
