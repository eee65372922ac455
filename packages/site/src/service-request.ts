/**
 * Service request: the body of a QUERY or POST, read within its limits, or the answer that says why it cannot be
 * (RFC 10008 §2: 400 without a media type, 415 for another one; 413 and content codings as RFC 9110 has them).
 */
import { decodeBody, headerOf } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { NO_BODY, sentenceAnswer } from './site-request.ts'
import type { SiteAnswer, SiteRequest } from './site-request.ts'

export interface ServiceForm {
  /** The one media type its requests have. */
  readonly type: string
  readonly methods: readonly string[]
  readonly maxBytes: number
}

/** Every answer of a service says what may be asked of it. */
export const serviceFields = ({ type, methods }: ServiceForm): HeaderList => [
  ...(methods.includes('QUERY') ? ([['Accept-Query', `"${type}"`]] as const) : []),
  ['Allow', methods.join(', ')],
]

/** The answer to OPTIONS and to methods that it does not know; undefined for those it does. */
export function methodAnswer(request: SiteRequest, form: ServiceForm): SiteAnswer | undefined {
  if (request.method === 'OPTIONS') return { status: 204, headers: serviceFields(form), body: NO_BODY }
  if (form.methods.includes(request.method)) return undefined
  return sentenceAnswer(
    405,
    `Use ${form.methods.join(' or ')} here, with a body of type ${form.type}.`,
    serviceFields(form),
  )
}

/** The body without its content coding, or the answer to give instead. */
export async function serviceBody(request: SiteRequest, form: ServiceForm): Promise<Uint8Array | SiteAnswer> {
  const type = headerOf(request.headers, 'content-type')
  const refuse = (status: number, sentence: string): SiteAnswer => sentenceAnswer(status, sentence, serviceFields(form))
  if (type === undefined)
    return refuse(400, `The request does not say what its body is: send Content-Type: ${form.type}.`)
  if (type.split(';')[0]!.trim().toLowerCase() !== form.type) return refuse(415, `Send a body of type ${form.type}.`)
  const body = await request.body(form.maxBytes)
  if (body === 'too-large') return refuse(413, `A request may have ${form.maxBytes} bytes: ask in several.`)
  const decoded = decodeBody(body, headerOf(request.headers, 'content-encoding'), { maxBytes: form.maxBytes })
  if (decoded.kind === 'ok') return decoded.body
  if (decoded.kind === 'too-large') return refuse(413, `A request may have ${form.maxBytes} bytes: ask in several.`)
  if (decoded.kind === 'unknown-coding')
    return sentenceAnswer(415, 'Send the body without a content coding, or with gzip, br or zstd.', [
      ['Accept-Encoding', 'gzip, br, zstd'],
    ])
  return refuse(400, 'The content coding of the body is damaged.')
}

export const isAnswer = (value: Uint8Array | SiteAnswer): value is SiteAnswer => !(value instanceof Uint8Array)
