import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pageLanguages } from './build/page-languages.ts'
import { chunkFileNames, chunks, refuseCircles } from './build/chunks.ts'
import { precompress } from './build/precompress.ts'
import { firstPaint } from './build/first-paint.ts'
import { pagePreloads } from './build/page-preloads.ts'

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    firstPaint(),
    pageLanguages(),
    pagePreloads(),
    refuseCircles(),
    precompress(),
  ],
  build: {
    target: 'es2022',
    reportCompressedSize: false,
    // Making a zod schema has no effect: a schema that a page does not use is left out, and with it zod.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      output: { codeSplitting: chunks, chunkFileNames },
    },
  },
})
