/** `--behind`: proxies in front of a server of ours. */
import { isIP } from 'node:net'
import type { Flag } from '../command.ts'
import { BadValue } from '../usage-error.ts'

export const behindFlag: Flag<readonly string[]> = {
  argument: 'ADDRESS',
  default: [],
  parse: parseAddress,
  many: true,
  help: 'a proxy in front of it, each of them where they stand in a row: who asks is whom these name in X-Forwarded-For, and shares are theirs',
}

function parseAddress(text: string): readonly string[] {
  if (isIP(text) === 0) throw new BadValue('is no address: write 127.0.0.1 or ::1, one for each --behind')
  return [text]
}
