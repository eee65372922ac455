/** Hostile name: a name lookup that lies, in the two shapes a client may want it in. It asks no real name server. */
import type { LookupFunction } from 'node:net'
import { isIPv6 } from 'node:net'
import type { NameAnswers } from './case.ts'

export interface HostileName {
  /** For `lookup` of node:net, node:http and undici. */
  readonly lookup: LookupFunction
  /** For those who look up first and connect to what they have checked. */
  resolve(hostname: string): Promise<readonly string[]>
  /** How often it was asked. */
  readonly asked: number
}

export function createHostileName(hostname: string, answers: NameAnswers, site: string): HostileName {
  let asked = 0
  const resolve = async (wanted: string): Promise<readonly string[]> => {
    const answer = wanted === hostname ? answers(asked, site) : { code: 'ENOTFOUND' }
    asked += 1
    if (answer === 'silence') return new Promise(() => undefined)
    if ('code' in answer)
      throw Object.assign(new Error(`lookup ${answer.code} ${wanted}`), { code: answer.code, hostname: wanted })
    return answer.addresses
  }
  return {
    resolve,
    lookup: (wanted, options, callback) => void callBack(resolve(wanted), options.all === true, callback),
    get asked() {
      return asked
    },
  }
}

/** Never rejects: what went wrong is the callback's to hear. */
async function callBack(
  lookup: Promise<readonly string[]>,
  wantsAll: boolean,
  callback: Parameters<LookupFunction>[2],
): Promise<void> {
  const [result] = await Promise.allSettled([lookup])
  if (result.status === 'rejected') {
    callback(result.reason, wantsAll ? [] : '')
    return
  }
  const all = result.value.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  if (wantsAll) callback(null, all)
  else callback(null, all[0]?.address ?? '', all[0]?.family)
}
