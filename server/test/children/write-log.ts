// Logs more than a pipe holds, says so on standard error, and logs one more line whenever something comes in.
import { createLogger } from '../../src/ops/log.ts'

const logger = await createLogger('info')
for (let number = 0; number < 5_000; number += 1)
  logger.info({ number, filler: '.'.repeat(500) }, 'one of many')
// Until not even the shortest line has room among those that wait.
for (let number = 0; number < 20; number += 1) logger.info('')
logger.fatal('the worst')
process.stdin.on('data', () => logger.info('one more'))
process.stderr.write('logged')
