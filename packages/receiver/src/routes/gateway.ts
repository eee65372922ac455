/**
 * Gateway batches: `POST /gateway`, for gateways that index what people read (001 §IV). A batch is signed by a key that is
 * listed here, is readable to its end, and is on the disk before the answer. Each number of a run is taken once: one that
 * comes again, as its answer was lost, is answered 200. What came before the receiver was started is not known here; whoever
 * takes the batches out of the inbox remembers that (`push/gateway-handler.ts` of `crawler`).
 *
 * Rows of hosts that the gateway may not speak of are counted and told in the answer, and the rest is taken; a batch of
 * nothing else is refused, so that its sender stops and says so.
 */
import { GATEWAY_ORIGIN, unpackedBatchLimits } from '@comity/ingest'
import type { GatewayDigest } from '@comity/ingest'
import { GATEWAY_BATCH_TYPE } from '@comity/protocol'
import type { GatewayEndpoint } from '../proof/gateway-endpoint.ts'
import { PushRefusal } from '../admit/push-refusal.ts'
import { ReceivedBody } from '../body/received-body.ts'
import { admitted, heldBody, keepOrDrop } from '../receiver-parts.ts'
import type { ReceiverParts } from '../receiver-parts.ts'
import { checkDigest } from './push.ts'
import type { ReceiverAnswer, ReceiverRequest } from '../request.ts'

export async function answerGateway(
  request: ReceiverRequest,
  parts: ReceiverParts,
  named: (origin: string) => void,
): Promise<ReceiverAnswer> {
  const { gateways, limits } = parts
  if (gateways === undefined)
    throw new PushRefusal(
      'not-found',
      'No gateway is heard here. Whoever runs the repository starts it with --gateways.',
    )
  const { method, url, headers, type } = request
  if (type !== GATEWAY_BATCH_TYPE)
    throw new PushRefusal('wrong-type', `A batch is ${GATEWAY_BATCH_TYPE}; not "${type.slice(0, 100)}".`)
  const { name } = await gateways.signerOf({ method, url, headers })
  const origin = `${GATEWAY_ORIGIN}${name}`
  named(origin)
  request.prove(origin)
  const room = { memory: parts.memory, disk: parts.disk, spool: () => parts.inbox.spool() }
  const from = { origin, door: 'gateway', bytes: request.contentLength ?? 0 } as const
  return await admitted(parts, from, async (entry) => {
    await using body = await ReceivedBody.read(request, room, { maxBytes: limits.maxBatchBytes, inMemory: true })
    checkDigest(request, body)
    const { maxBatchBytes: maxBytes, maxBatchUnpackedBytes: maxUnpackedBytes } = limits
    const news = await parts.content.digest(body.bytes, { ...unpackedBatchLimits, maxBytes, maxUnpackedBytes })
    if (gateways.isTaken(name, news.batch)) {
      parts.admission.left(entry)
      return told(200, { repeated: true })
    }
    const refusedRows = foreignRows(gateways, name, news)
    const held = await heldBody(parts, body, undefined)
    const item = { origin, door: 'gateway', scheme: 'batches', proof: 'signature', type: GATEWAY_BATCH_TYPE } as const
    await keepOrDrop(parts, entry, { ...item, ...held })
    gateways.took(name, news.batch)
    parts.programs?.report(name, news.batch.figures.skipped)
    return told(202, { refusedRows })
  })
}

/** How many rows will not be taken; throws when that is all of them. */
function foreignRows(gateways: GatewayEndpoint, name: string, { hosts }: GatewayDigest): number {
  const foreign = hosts.filter(({ url }) => !gateways.mayName(name, url))
  const [first] = foreign
  if (first !== undefined && foreign.length === hosts.length)
    throw new PushRefusal(
      'host-refused',
      `${name} may not speak of ${(URL.parse(first.url)?.host ?? '').slice(0, 200)}, nor of any other host in this batch. ` +
        'Whoever runs the repository lists the hosts of each gateway.',
    )
  return foreign.reduce((sum, { rows }) => sum + rows, 0)
}

const told = (status: number, json: Readonly<Record<string, unknown>>): ReceiverAnswer => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(json)}\n`,
})
