import { AppError } from '@earshot/core/protocol/errors'
import { QueryClient } from '@tanstack/react-query'

const retries = 2

/** The cache of server data. Only what may heal by itself is tried again. */
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
