/**
 * `--allow-private`: alone, all addresses of one's own networks; `--allow-private=10.0.0.0/8,::1`, these. The networks are
 * attached, since what stands apart is a start page to the commands that take some.
 */
import { isIP } from 'node:net'
import { mayVisit } from '@comity/protocol'
import type { AllowPrivate } from '@comity/protocol'
import { parseSwitch } from '../command.ts'
import type { Flag } from '../command.ts'
import { asList, asString } from '../config-file.ts'
import { BadValue } from '../usage-error.ts'

export const allowPrivateFlag = (help: string): Flag<AllowPrivate> => ({
  argument: 'NET,…',
  default: false,
  help: `${help}; with networks or addresses attached, these alone: --allow-private=10.1.0.0/16,::1`,
  parse: parseAllowPrivate,
  read: readAllowPrivate,
  bare: { text: 'true', looksAttachable: isLikeNetworks },
})

export function parseAllowPrivate(text: string): AllowPrivate {
  if (/^[a-z]+$|^[01]$/i.test(text)) return parseSwitch(text)
  return checked(text.split(',').map((one) => one.trim()))
}

/** All, none, or some networks. */
export function readAllowPrivate(json: unknown): AllowPrivate {
  if (typeof json === 'boolean') return json
  return typeof json === 'string' ? parseAllowPrivate(json) : checked(asList(json).map(asString))
}

/** Also what would be a network but for a slip: nobody starts a crawl at http://10.0.0.0/33. */
function isLikeNetworks(word: string): boolean {
  return word.split(',').some((one) => {
    const [address = '', bits = '0', ...rest] = one.trim().split('/')
    return isIP(address.replaceAll(/^\[|\]$/g, '')) !== 0 && /^\d+$/.test(bits) && rest.length === 0
  })
}

function checked(networks: readonly string[]): readonly string[] {
  for (const network of networks) {
    try {
      mayVisit([network])
    } catch {
      throw new BadValue(`has "${network}", which is no network: write 10.1.2.3, 10.1.0.0/16 or fd00::/8`)
    }
  }
  return networks
}
