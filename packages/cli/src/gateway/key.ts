/** `comity gateway key`: what the operator of a repository puts into the file that `comity watch --gateways` names. */
import { publishedKeys, writeKeySet } from '@comity/protocol'
import type { Call } from '../command.ts'
import type { GatewaySettings } from './flags.ts'
import { keyFileOf } from './gateway-parts.ts'
import { UsageError } from '../usage-error.ts'

export async function keyWord({ settings, terminal }: Call<GatewaySettings>): Promise<number> {
  const { name = 'gateway', hosts } = settings
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new UsageError(`--name "${name}" has to be up to 64 letters, digits, dots and hyphens.`)
  if (hosts.length === 0)
    throw new UsageError('Say which hosts the gateway is for: --hosts www.example.org,*.uni.example.')
  const ring = (await keyFileOf(settings)).ring()
  const { keys }: { readonly keys: readonly object[] } = JSON.parse(writeKeySet(publishedKeys(ring, Date.now())))
  const entry = { name, key: keys.length === 1 ? keys[0] : keys, hosts }
  terminal.print(JSON.stringify({ gateways: [entry] }, undefined, settings.json ? 0 : 2))
  return 0
}
