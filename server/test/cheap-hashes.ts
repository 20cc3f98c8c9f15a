import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto

type Done = (error: Error | null, key: Buffer) => void

/**
 * Hashes passwords at a 64th of the cost that the server asks for: at full cost each takes longer than starting a server,
 * and no test depends on it. Processes that tests start hash at full cost.
 */
function scryptAtLowCost(
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  options: ScryptOptions & { N: number },
  done: Done,
): void {
  scrypt(password, salt, length, { ...options, N: options.N / 64 }, done)
}

// Files of one worker share modules of Node.
if (scrypt.name !== scryptAtLowCost.name) {
  Object.assign(crypto, { scrypt: scryptAtLowCost })
  syncBuiltinESMExports()
}
