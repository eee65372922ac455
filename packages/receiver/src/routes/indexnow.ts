/**
 * IndexNow, the receiving side (https://www.indexnow.org/documentation): `GET` and `POST /indexnow`. A notice names the host
 * and its key; it counts when the key stands in its file on that host. Answers by the letter: 200 taken, 202 taken and the key
 * still to be looked at, 400, 403, 422, 429.
 */
import { rm } from 'node:fs/promises'
import type { KeyClaim } from '@comity/collection'
import { keyFileUrl, MAX_INDEXNOW_BYTES, parseIndexNow } from '@comity/protocol'
import type { IndexNow, Signal } from '@comity/protocol'
import { writeSignals } from '../body/notice-signals.ts'
import { PushRefusal, tooManyLookUps, tooMuchAtOnce } from '../admit/push-refusal.ts'
import { ReceivedBody } from '../body/received-body.ts'
import { admitted, checkWanted, fullRefusal, keepOrDrop, spooled } from '../receiver-parts.ts'
import type { ReceiverParts } from '../receiver-parts.ts'
import type { ReceiverAnswer, ReceiverRequest } from '../request.ts'
import { soonEnough } from '../http/soon-enough.ts'

export async function answerIndexNow(
  request: ReceiverRequest,
  parts: ReceiverParts,
  named: (origin: string) => void,
): Promise<ReceiverAnswer> {
  const notice = await readNotice(request, parts)
  const claim: KeyClaim = { key: notice.key, keyLocation: keyFileUrl(notice) }
  const keeper = new URL(claim.keyLocation).origin
  named(keeper)
  checkWanted(parts, keeper)
  const verdict = await soonEnough(parts.proof.byKeyFile(keeper, claim, request.client), parts.limits.proofWaitMs)
  if (verdict?.kind === 'too-many') throw tooManyLookUps(verdict)
  if (verdict?.kind === 'refused') throw new PushRefusal('key-file-wrong', verdict.message)
  if (verdict?.kind === 'proven') {
    for (const [origin, urls] of bySite(notice)) await take(parts, origin, urls)
    return { status: 200, body: 'Taken.\n' }
  }
  // Unproven, so it costs the address it came from and not the site it names.
  for (const [origin, urls] of bySite(notice)) await wait(parts, origin, urls, { claim, from: request.client })
  return { status: 202, body: 'Taken, if the key is found in its file.\n' }
}

async function readNotice(request: ReceiverRequest, parts: ReceiverParts): Promise<IndexNow> {
  const { method, query } = request
  const maxBytes = Math.min(MAX_INDEXNOW_BYTES, parts.limits.maxNoticeBytes)
  const room = { memory: parts.memory, disk: parts.disk, spool: () => parts.inbox.spool() }
  await using body = await ReceivedBody.read(request, room, {
    maxBytes: method === 'POST' ? maxBytes : 0,
    inMemory: true,
  })
  const read = parseIndexNow(method, query, request.header('content-type'), body.bytes)
  if ('notice' in read) return read.notice
  throw new PushRefusal(read.status === 422 ? 'foreign' : 'malformed', `${read.problem}.`)
}

/** A host has two sites at most, with TLS and without; its key speaks for both. */
function bySite({ urls }: IndexNow): Map<string, string[]> {
  const sites = new Map<string, string[]>()
  for (const url of urls) {
    const { origin } = new URL(url)
    const known = sites.get(origin)
    if (known === undefined) sites.set(origin, [url])
    else known.push(url)
  }
  return sites
}

async function take(parts: ReceiverParts, origin: string, urls: readonly string[]): Promise<void> {
  const signals = signalsOf(urls)
  await admitted(parts, { origin, door: 'indexnow', bytes: signals.length }, async (entry) => {
    const body = await spooled(parts.inbox, signals)
    await keepOrDrop(parts, entry, { ...item(origin), proof: 'key-file', ...body })
  })
}

async function wait(
  parts: ReceiverParts,
  origin: string,
  urls: readonly string[],
  { claim, from }: { readonly claim: KeyClaim; readonly from: string },
): Promise<void> {
  const held = await spooled(parts.inbox, signalsOf(urls))
  const added = await parts.pending.add({ ...item(origin), proof: 'pending', at: parts.now(), ...held, claim }, from)
  if (added === 'kept') return
  if (held.file !== undefined) await rm(held.file.path, { force: true })
  throw added === 'over' ? tooMuchAtOnce('notices') : fullRefusal()
}

const item = (origin: string) =>
  ({ origin, door: 'indexnow', scheme: 'changes', type: 'application/x-ndjson' }) as const

/** It says neither what became of a page nor when. */
const signalsOf = (urls: readonly string[]): Buffer =>
  Buffer.from(writeSignals(urls.map((url): Signal => ({ url, change: 'updated', channel: 'indexnow' }))))
