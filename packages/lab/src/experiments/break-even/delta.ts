/**
 * When is a difference shorter than the page? Pages of several sizes are edited more and more, in one place or all over, and sent
 * whole, packed, and as differences (RFC 3229 with vcdiff, RFC 9842 with dcz). A site sends whichever is the shortest; here each
 * is made whether it is or not.
 */
import { gzipSync } from 'node:zlib'
import {
  deltaAnswer,
  deltaRequest,
  encodeWithDictionary,
  offerDictionary,
  writeDigestField,
  writeHttpDate,
} from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { digestOf, etagOf } from '@comity/site'
import type { SiteAnswer } from '@comity/site'
import { CountedLine, trafficBytes } from '../../cooperating/counted-line.ts'
import { crossingOf } from '../../crossing.ts'
import type { Crossing } from '../../crossing.ts'
import type { NamedCurve } from './site.ts'
import { editedBody, madeBody } from '../../webs/made-pages.ts'
import type { EditManner } from '../../webs/made-pages.ts'
import { createRandom, seedOf } from '@comity/testbed'

const DELTA_FORMS = ['page', 'page, gzip', 'difference, vcdiff', 'difference, dcz'] as const
type DeltaForm = (typeof DELTA_FORMS)[number]

export interface DeltaCurves {
  readonly pageBytes: number
  readonly manner: EditManner
  /** Bytes of an exchange, heads and both ways, against the share of the page that changed. */
  readonly curves: readonly NamedCurve[]
  /** Up to which share a difference is shorter than the page, packed and not. */
  readonly crossings: readonly {
    readonly difference: DeltaForm
    readonly page: DeltaForm
    readonly crossing: Crossing
  }[]
}

interface DeltaPlan {
  readonly pageBytes: number
  readonly manner: EditManner
  readonly editShares: readonly number[]
  readonly deltaPages: number
  readonly seed: number
}

export async function deltaCurves({
  pageBytes,
  manner,
  editShares,
  deltaPages,
  seed,
}: DeltaPlan): Promise<DeltaCurves> {
  const sums = new Map<DeltaForm, [number, number][]>(DELTA_FORMS.map((form) => [form, []]))
  for (const share of editShares) {
    const bytes = new Map<DeltaForm, number>()
    for (let page = 0; page < deltaPages; page++) {
      const random = createRandom(seedOf(seed, 'delta', pageBytes, page, share, manner))
      const before = madeBody(pageBytes, createRandom(seedOf(seed, 'delta', pageBytes, page)), page)
      const after = editedBody(before, share, manner, random)
      for (const form of DELTA_FORMS)
        bytes.set(form, (bytes.get(form) ?? 0) + (await exchangeBytes(form, before, after)) / deltaPages)
    }
    for (const form of DELTA_FORMS) sums.get(form)!.push([share, bytes.get(form)!])
  }
  const curves = DELTA_FORMS.map((name): NamedCurve => ({ name, points: sums.get(name)! }))
  const differences = ['difference, vcdiff', 'difference, dcz'] as const
  return {
    pageBytes,
    manner,
    curves,
    crossings: differences.flatMap((difference) =>
      (['page', 'page, gzip'] as const).map((page) => ({
        difference,
        page,
        crossing: crossingOf(sums.get(difference)!, sums.get(page)!),
      })),
    ),
  }
}

const PATH = `/${'folder/'.repeat(4)}page.html`
const DATED: HeaderList = [
  ['Last-Modified', writeHttpDate(0)],
  ['Content-Type', 'text/html'],
]

async function exchangeBytes(form: DeltaForm, before: Uint8Array, after: Uint8Array): Promise<number> {
  const { headers, answer } = exchangeOf(form, before, after)
  const line = new CountedLine('www.example.org', async () => answer)
  await line.ask({ path: PATH, headers })
  return trafficBytes(line.traffic)
}

function exchangeOf(
  form: DeltaForm,
  before: Uint8Array,
  after: Uint8Array,
): { readonly headers: HeaderList; readonly answer: SiteAnswer } {
  const [etag, held] = [etagOf(digestOf(after)), etagOf(digestOf(before))]
  const whole = (body: Uint8Array, coding: HeaderList): SiteAnswer => ({
    status: 200,
    headers: [...DATED, ['ETag', etag], ...coding, ['Content-Length', String(body.length)]],
    body,
  })
  if (form === 'page') return { headers: [], answer: whole(after, []) }
  if (form === 'page, gzip')
    return { headers: [['accept-encoding', 'gzip']], answer: whole(gzipSync(after), [['Content-Encoding', 'gzip']]) }
  if (form === 'difference, vcdiff') {
    const wish = { bases: [held], mayGzip: true }
    const delta = deltaAnswer(wish, { etag, body: after }, () => before, { otherwiseBytes: Infinity })!
    const length: HeaderList = [['Content-Length', String(delta.body.length)]]
    return { headers: deltaRequest([held]), answer: { ...delta, headers: [...DATED, ...delta.headers, ...length] } }
  }
  const coding: HeaderList = [
    ['Content-Encoding', 'dcz'],
    ['Repr-Digest', writeDigestField(after)],
    ['Vary', 'Accept-Encoding, Available-Dictionary'],
  ]
  return {
    headers: [...offerDictionary(before, ''), ['accept-encoding', 'dcz']],
    answer: whole(encodeWithDictionary('dcz', after, before)!, coding),
  }
}
