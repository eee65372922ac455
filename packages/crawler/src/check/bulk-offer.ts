/** What brings pages many at a time: of dumps and archives only the ends are looked at; a batch is asked for two pages. */
import { BATCH_TYPE, readBatchAnswer, readSync, writeBatch } from '@comity/protocol'
import type { SyncEntry } from '@comity/protocol'
import type { BulkOfferKind } from '@comity/follow'
import { replyOf } from '@comity/ingest'
import { fieldOf, statusOf } from './asker.ts'
import type { Asker } from './asker.ts'
import { DocumentLinks } from './document-links.ts'
import type { OfferFacts } from './offer.ts'

type Found = Pick<OfferFacts, 'problem' | 'pages' | 'isCut'>

/** Of a ZIP file: its end, with the place of its directory (APPNOTE §4.3.16), and where in that its entries are counted. */
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')
const ZIP_END_BYTES = 22
const ZIP_ENTRIES_AT = 10

export async function checkBulkOffer(
  asker: Asker,
  kind: BulkOfferKind,
  url: string,
  pages: readonly string[],
): Promise<Found> {
  if (kind === 'batch') return await checkBatch(asker, url, pages)
  return kind === 'wacz' ? await checkZip(asker, url) : await checkDump(asker, kind, url)
}

/** By QUERY, and by POST where that is refused. */
async function checkBatch(asker: Asker, url: string, pages: readonly string[]): Promise<Found> {
  const body = writeBatch(pages.map((page) => ({ url: page })))
  for (const method of ['QUERY', 'POST'] as const) {
    const question = { url, method, body, headers: { 'content-type': BATCH_TYPE } }
    const exchange = await asker.ask(url, question)
    if (exchange === undefined) return { isCut: true }
    if ([405, 501].includes(statusOf(exchange)) && method === 'QUERY') continue
    const reply = replyOf(question, exchange)
    return reply.kind === 'document' ? batchVerdict(reply.body, pages) : { problem: reply.problem }
  }
  return { problem: 'it takes neither QUERY nor POST' }
}

function batchVerdict(body: Uint8Array, asked: readonly string[]): Found {
  const { closing, problems, pages } = readBatchAnswer(body)
  if (closing === undefined) return { problem: `the answer has no end${problems.length > 0 ? `: ${problems[0]}` : ''}` }
  if (problems.length > 0) return { problem: problems[0] }
  if (pages.some(({ url }) => !asked.includes(url)) || pages.length !== closing.sent)
    return { problem: 'it sent other pages than were asked for' }
  const whole = pages.filter(({ status }) => status === 200).length
  return whole > 0 || asked.length === 0
    ? { pages: whole }
    : { pages: 0, problem: 'it sent none of the pages that were asked for' }
}

/** The list of packages, and the end of the first. */
async function checkDump(asker: Asker, kind: 'dump' | 'change-dump', url: string): Promise<Found> {
  const exchange = await asker.ask(url)
  if (exchange === undefined) return { isCut: true }
  const reply = replyOf({ url }, exchange)
  if (reply.kind !== 'document') return { problem: reply.problem }
  const { entries, summary } = readSync(reply.body, url)
  const [fault] = Object.keys(summary.problems)
  if (fault !== undefined) return { problem: fault }
  const isNamed = summary.capability === (kind === 'dump' ? 'resourcedump' : 'changedump')
  const packages = entries.filter((entry) => entry.kind === 'package' || entry.kind === 'document')
  // Nothing may have changed yet.
  if (packages.length === 0 && isNamed && kind === 'change-dump') return { pages: 0 }
  if (packages.length === 0) return { problem: isNamed ? 'it lists no package' : 'it is no list of packages' }
  const own = packages.filter((one) => URL.parse(one.url)?.origin === asker.origin)
  if (own.length === 0) return { problem: 'its packages are those of another origin' }
  const pages = entries.reduce((sum, { extension }) => sum + (Number(extension?.['pages']) || 0), 0)
  const found = await checkPackage(asker, own)
  const links = new DocumentLinks(asker.origin)
  links.read(url, summary, entries)
  const problem = found.problem ?? (await links.dead(asker))
  return { ...found, ...(problem !== undefined && { problem }), pages: pages === 0 ? undefined : pages }
}

async function checkPackage(asker: Asker, own: readonly SyncEntry[]): Promise<Found> {
  const first = own.find(({ url }) => url.endsWith('.zip'))
  return first === undefined ? {} : await checkZip(asker, first.url, first.bytes)
}

/** A file that can be read in parts is as long as it says, ends as a ZIP file does and has something in it. */
async function checkZip(asker: Asker, url: string, listedBytes?: number): Promise<Found> {
  const exchange = await asker.ask(url, {
    headers: { range: `bytes=-${ZIP_END_BYTES}`, 'accept-encoding': 'identity' },
    maxBytes: 1 << 16,
  })
  if (exchange === undefined) return { isCut: true }
  const { pathname } = new URL(url)
  const wrong = (problem: string): Found => ({ problem: `${pathname}: ${problem}` })
  if (exchange.kind !== 'answered') return wrong(exchange.message)
  if (statusOf(exchange) === 200) return wrong('it cannot be read in parts: Range is ignored')
  if (statusOf(exchange) !== 206) return wrong(`status ${statusOf(exchange)}`)
  if (fieldOf(exchange, 'etag') === undefined)
    return wrong('it has no ETag, so parts of two versions could be put together')
  const bytes = Number(/\/(\d{1,15})$/.exec(fieldOf(exchange, 'content-range') ?? '')?.[1] ?? Number.NaN)
  if (listedBytes !== undefined && Number.isFinite(bytes) && bytes !== listedBytes)
    return wrong(`it has ${bytes} bytes, and the list says ${listedBytes}`)
  const end = Buffer.from(exchange.body)
  if (end.indexOf(ZIP_END) !== 0 || end.length < ZIP_END_BYTES) return wrong('it does not end as a ZIP file does')
  return end.readUInt16LE(ZIP_ENTRIES_AT) === 0 ? wrong('there is nothing in it') : {}
}
