/**
 * BodyFrame: where the body of a message ends (RFC 9112 §6.3), decided from its head. Where the rules leave readers a choice,
 * the frame has a doubt: what two readers would cut in two ways is nothing to index, and nor is what follows it on the same
 * connection.
 */
import { trimBlanks } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { RequestHead, ResponseHead } from './head.ts'

type FrameDoubt = 'two-framings' | 'odd-transfer-coding' | 'odd-length' | 'repeated-length' | 'odd-framing'

export type BodyFrame = (
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  /** Until the connection ends. */
  | { readonly kind: 'close' }
  /** Readers differ: all that comes is taken, and cut as it looks (`http/odd-body.ts`). The numbers are those that length fields have. */
  | { readonly kind: 'odd'; readonly numbers: readonly number[] }
) & { readonly doubt?: FrameDoubt | undefined }

const NONE: BodyFrame = { kind: 'none' }
/** More digits than any body has would wrap somewhere. */
const LENGTH = /^\d{1,15}$/

export function requestFrame({ headers, version, isFramingOdd = false }: RequestHead): BodyFrame {
  return framing(headers, version, isFramingOdd) ?? NONE
}

/** `method` of the request, when it is known: the answer to HEAD, or a granted CONNECT, has no body whatever it says. */
export function responseFrame(head: ResponseHead, method: string | undefined): BodyFrame {
  const { status, headers, version, isFramingOdd = false } = head
  if (method === 'CONNECT' && status >= 200 && status < 300) return NONE
  if (method === 'HEAD' || (status >= 100 && status < 200) || status === 204 || status === 304) return NONE
  return framing(headers, version, isFramingOdd) ?? { kind: 'close' }
}

/** A doubt after which nobody can be sure where the next message begins. */
export const isDesynchronising = ({ doubt }: BodyFrame): boolean => doubt !== undefined && doubt !== 'repeated-length'

function framing(headers: HeaderList, version: string, isOdd: boolean): BodyFrame | undefined {
  const lengths = valuesOf(headers, 'content-length')
  const codings = valuesOf(headers, 'transfer-encoding')
  const odd = (doubt: FrameDoubt): BodyFrame => ({ kind: 'odd', numbers: numbersIn(lengths), doubt })
  if (isOdd) return odd('odd-framing')
  if (codings === undefined) return lengths === undefined ? undefined : (lengthFrame(lengths) ?? odd('odd-length'))
  if (lengths !== undefined) return odd('two-framings')
  // In HTTP/1.0 there are no transfer codings; some honour them all the same (RFC 9112 §6.1).
  const isChunked = codings.length === 1 && codings[0]!.toLowerCase() === 'chunked' && version === '1.1'
  return isChunked ? { kind: 'chunked' } : odd('odd-transfer-coding')
}

function lengthFrame(lengths: readonly string[]): BodyFrame | undefined {
  const first = lengths[0] ?? ''
  if (!LENGTH.test(first) || lengths.some((length) => length !== first)) return undefined
  return { kind: 'length', length: Number(first), doubt: lengths.length > 1 ? 'repeated-length' : undefined }
}

const numbersIn = (lengths: readonly string[] | undefined): number[] =>
  (lengths ?? []).flatMap((length) => (length.match(/\d{1,15}/g) ?? []).map(Number))

/** Of all fields of a name, each of its members; undefined when there is no such field. */
function valuesOf(headers: HeaderList, wanted: string): string[] | undefined {
  let values: string[] | undefined
  for (const [name, value] of headers) {
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue
    const parts = value.split(',').map(trimBlanks)
    values = values === undefined ? parts : [...values, ...parts]
  }
  return values
}
