import './styles.css'
import { StrictMode } from 'react'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { directionOf } from '@earshot/core/protocol/languages'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Splash } from './features/splash/splash.tsx'
import { loadPageAt, Pages } from './routes.tsx'
import { language } from './texts/language.ts'

// The content security policy forbids `eval`, so zod must not generate code.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// The worker's offline page is in the page's language.
const serviceWorker = language === 'en' ? '/service-worker.js' : `/service-worker.js?language=${language}`

// For the page that shows where the server cannot be reached. Not in development, whose server has no such file.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  window.addEventListener(
    'load',
    () => void navigator.serviceWorker.register(serviceWorker).catch(() => null),
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

// Until the code of the first page is here, the document's splash stays (17.126).
void loadPageAt(location.pathname).then(() =>
  createRoot(root).render(
    <StrictMode>
      <DirectionProvider direction={directionOf(language)}>
        <BrowserRouter>
          <Pages />
        </BrowserRouter>
        <Splash />
      </DirectionProvider>
    </StrictMode>,
  ),
)
