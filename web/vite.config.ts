import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pageLanguages } from './build/page-languages.ts'
import { precompress } from './build/precompress.ts'
import { firstPaint } from './build/first-paint.ts'
import { pagePreloads } from './build/page-preloads.ts'
import { roomHtml } from './build/room-html.ts'

/** What every page needs, as one file: several small ones compress worse. */
const base =
  /node_modules\/(react|react-dom|react-router|scheduler|@tanstack\/(query-core|react-query)|tailwind-variants|zustand)\/|lucide-react\/dist\/esm\/(?!icons|lucide)|core\/src\/limits\.ts|web\/src\/ui\/(button|class-names|spinner|empty-state)|web\/src\/api\/(auth-client|call-api|timed-fetch)\.ts/

export default defineConfig({
  plugins: [react(), tailwindcss(), firstPaint(), pageLanguages(), roomHtml(), pagePreloads(), precompress()],
  build: {
    target: 'es2022',
    reportCompressedSize: false,
    // Making a zod schema has no effect: a schema that a page does not use is left out, and with it zod.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      output: { codeSplitting: { groups: [{ name: 'base', test: base }] } },
    },
  },
})
