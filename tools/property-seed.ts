import fc from 'fast-check'

// A landing must not depend on luck: `npm test` tries the same cases each time, `npm run test:all` new ones.
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) })
