import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pageLanguages } from './build/page-languages.ts'
import { chunkFileNames, chunks, refuseCircles } from './build/chunks.ts'
import { precompress } from './build/precompress.ts'
import { notices, noticesFile } from './build/notices.ts'
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
    notices(),
    precompress(),
  ],
  build: {
    target: 'es2022',
    reportCompressedSize: false,
    license: { fileName: noticesFile },
    // Making a zod schema has no effect: a schema that a page does not use is left out, and with it zod. So is what a
    // page does not use of the client for sockets.
    rolldownOptions: {
      treeshake: {
        manualPureFunctions: ['z'],
        moduleSideEffects: [{ test: /(socket|engine)\.io/, sideEffects: false }],
      },
      output: { codeSplitting: chunks, chunkFileNames },
    },
  },
})
