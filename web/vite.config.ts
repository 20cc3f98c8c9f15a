import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pageLanguages } from './build/page-languages.ts'
import { precompress } from './build/precompress.ts'
import { preloadFont } from './build/preload-font.ts'
import { roomHtml } from './build/room-html.ts'

/** What every page needs, as one file: several small ones compress worse. */
const base =
  /node_modules\/(react|react-dom|react-router|scheduler|tailwind-variants|zustand|@tanstack\/(query-core|react-query))\/|lucide-react\/dist\/esm\/(?!icons|lucide)|core\/src\/limits|web\/src\/(texts\/(.*\/)?common\.ts|ui\/(button|spinner|empty-state|load-code|class-names)|api\/(timed-fetch|auth-client))|preload-helper|vite\/modulepreload/

/** What every room needs. */
const room =
  /node_modules\/(@?socket\.io|engine\.io)|web\/src\/(realtime|engine\/(state|playback|chat|playability|room-runtime|membership|commands|queue-commands|periodic|device))|core\/src\/(sync|room|machines\/(connection|membership))/

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFont(), pageLanguages(), roomHtml(), precompress()],
  build: {
    target: 'es2022',
    reportCompressedSize: false,
    // Making a zod schema has no effect: a schema that a page does not use is left out, and with it zod.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'base', test: base },
            { name: 'room', test: room },
          ],
        },
      },
    },
  },
})
