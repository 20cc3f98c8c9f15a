import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Splash } from './features/splash/splash.tsx'
import { routes } from './routes.tsx'

// The content security policy forbids `eval`, so zod must not generate code.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

const router = createBrowserRouter(routes)
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
    <Splash />
  </StrictMode>,
)
