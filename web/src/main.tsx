import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Splash } from './features/splash/splash.tsx'
import { Pages } from './routes.tsx'

// The content security policy forbids `eval`, so zod must not generate code.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// For the page that shows where the server cannot be reached. Not in development, whose server has no such file.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  window.addEventListener(
    'load',
    () => void navigator.serviceWorker.register('/service-worker.js').catch(() => null),
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <Pages />
    </BrowserRouter>
    <Splash />
  </StrictMode>,
)
