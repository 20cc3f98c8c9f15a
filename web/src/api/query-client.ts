import { AppError } from '@earshot/core/protocol/errors'
import { QueryClient } from '@tanstack/react-query'

const retries = 2

/** Creates the cache of server data. Retries only `unavailable`, which may be temporary. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) =>
          failures < retries && error instanceof AppError && error.code === 'unavailable',
      },
    },
  })
}
