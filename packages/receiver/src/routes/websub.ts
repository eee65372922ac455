/**
 * WebSub, the subscriber's side (W3C 2018): `GET` and `POST /websub/TOKEN`. A hub asks whether we want what was asked for in
 * our name (§5.3), and then sends content there (§7). The token is known to the hub alone and stands for one subscription, so
 * whoever knows it and signs with its secret speaks for the site that named the hub.
 *
 * Content with a bad signature is answered like any other and not taken (§8.1): a hub that is attacked should not drop us, and
 * an attacker should not learn anything.
 */
import type { Subscription } from '@comity/collection'
import { parseVerification, readHubLinks, readUploadFields, sameUrl } from '@comity/protocol'
import { contentKind } from '../body/pushed-content.ts'
import { PushRefusal } from '../admit/push-refusal.ts'
import { ReceivedBody } from '../body/received-body.ts'
import { admitted, heldBody, keepOrDrop } from '../receiver-parts.ts'
import type { ReceiverParts } from '../receiver-parts.ts'
import type { ReceiverAnswer, ReceiverRequest } from '../request.ts'
import { checkOpen } from './subscription.ts'
import { beginUpload } from './uploads.ts'

export const WEBSUB_PATH = '/websub/'

export async function answerCallback(
  request: ReceiverRequest,
  parts: ReceiverParts,
  named: (origin: string) => void,
): Promise<ReceiverAnswer> {
  const subscription = parts.store.get(request.path.slice(WEBSUB_PATH.length))
  if (subscription === undefined)
    throw new PushRefusal('unknown-callback', 'Nothing was subscribed to with this callback.')
  if (request.method === 'GET') return await verify(request, parts, subscription)
  named(subscription.origin)
  return await deliver(request, parts, subscription)
}

/** Yes, by echoing the challenge, only to what we asked for and have not got yet. */
async function verify(
  request: ReceiverRequest,
  parts: ReceiverParts,
  { token }: Subscription,
): Promise<ReceiverAnswer> {
  const read = parseVerification(request.query)
  if ('problem' in read) throw new PushRefusal('malformed', `${read.problem}.`)
  const { verification } = read
  if (verification.mode === 'denied') {
    const { topic, reason } = verification
    if (await parts.store.deny(token, topic, reason, parts.now())) return { status: 200 }
    throw notAskedFor()
  }
  if (await parts.store.confirm(token, verification, parts.now())) return { status: 200, body: verification.challenge }
  throw notAskedFor()
}

const notAskedFor = (): PushRefusal =>
  new PushRefusal('unknown-callback', 'This was not asked for, or it is confirmed already.')

async function deliver(
  request: ReceiverRequest,
  parts: ReceiverParts,
  subscription: Subscription,
): Promise<ReceiverAnswer> {
  checkOpen(subscription, parts)
  const { origin, topic, scheme, secret } = subscription
  // By the token, which nobody but the hub has; whether it signed what it sends is seen when all of it is here.
  request.prove(origin)
  checkTopic(request, subscription)
  const kind = contentKind(request.type, scheme, request.header('content-encoding'))
  if (readUploadFields(request.headers).isComplete !== undefined)
    return await beginUpload(request, parts, { origin, door: 'websub', scheme, topic, token: subscription.token })
  const { limits } = parts
  const maxBytes = kind === 'notice' ? limits.maxNoticeBytes : limits.maxBodyBytes
  const room = { memory: parts.memory, disk: parts.disk, spool: () => parts.inbox.spool() }
  return await admitted(parts, { origin, door: 'websub', bytes: request.contentLength ?? 0 }, async (entry) => {
    const hub = { secret, header: request.header('x-hub-signature') }
    await using body = await ReceivedBody.read(request, room, { maxBytes, inMemory: kind === 'notice', hub })
    if (body.hubVerdict() !== 'good') {
      parts.admission.left(entry)
      parts.figures.ignored(origin)
      return { status: 202 }
    }
    const { maxUnpackedBytes } = limits
    const terms = { kind, scheme, type: request.type, origin, door: 'websub', topic, maxUnpackedBytes } as const
    const content = await parts.content.check(body, terms)
    const held = await heldBody(parts, body, content.body)
    await keepOrDrop(parts, entry, { origin, door: 'websub', proof: 'subscription', ...content, ...held })
    body.giveAway()
    return { status: 202 }
  })
}

/** §7: a hub names the topic of what it sends. */
function checkTopic({ headers, url }: ReceiverRequest, { topic }: Subscription): void {
  const named = readHubLinks(headers, url).topic
  if (named === undefined || sameUrl(named, topic)) return
  throw new PushRefusal(
    'wrong-topic',
    `Link rel="self" names ${named.slice(0, 200)}, but this callback is for ${topic}.`,
  )
}
