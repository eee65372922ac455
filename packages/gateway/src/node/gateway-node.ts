/**
 * GatewayNode: from what passes, whatever saw it, to batches for the repository (001 §IV).
 *
 *   ObservedExchange ─▶ ours? ─▶ seen before, byte for byte? ──yes──────────────▶ hit, seen again
 *                           └─no─▶ gate (privacy) ─▶ new? changed? ─yes─▶ program? ─▶ words, links ─▶ batch ─▶ spool
 *                                                          └─no─▶ hit, seen again
 *
 * A page that was let through once and goes by with the same bytes and the same fields is for everybody still, whoever
 * asks: no more is looked at, until the operator or a new version has it judged by other rules (`judgedBy` of the gate). Addresses of readers are used by the gate and go nowhere. A batch is durable before the
 * table says that its pages were shipped. Each exchange and each document is worked on apart: a fault of ours in one is counted
 * as `fault` and written down (`node/fault-log.ts`), and the next goes on.
 */
import type { PdfReader } from '@comity/index'
import { addCount, messageOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { BatchMaker, goneRows, shippedUrls } from './batch-maker.ts'
import type { CutBatch } from './batch-maker.ts'
import { batchSchedule, cutsAt } from './batch-schedule.ts'
import type { BatchSchedule } from './batch-schedule.ts'
import type { BatchSpool } from './batch-spool.ts'
import type { BodyWish } from '../http/conversation-limits.ts'
import { DocumentMaker } from './document-maker.ts'
import type { MadeDocument } from './document-maker.ts'
import { FaultLog } from './fault-log.ts'
import { PrivacyGate, gateDefaults } from '../privacy/privacy-gate.ts'
import type { PrivacyGateOptions } from '../privacy/privacy-gate.ts'
import type { PageProgram } from './gateway-program.ts'
import { isRobot } from './hit-count.ts'
import { matchesHost, pageAddress } from '../privacy/host-pattern.ts'
import { newFigures } from './node-figures.ts'
import type { NodeFigures } from './node-figures.ts'
import { NO_TAG } from './shipped-page-table.ts'
import type { ShippedPageRow, PageTable } from './shipped-page-table.ts'
import { isSameVersion, judgePage, newerOf, restLimits, versionOf } from '../privacy/page-verdict.ts'
import type { RestLimits } from '../privacy/page-verdict.ts'
import { PageLine } from './page-line.ts'
import { PageReader } from './page-reading.ts'
import type { PageReading, PageSource } from './page-reading.ts'
import { mayArchive } from './page-words.ts'
import type { SeenPage } from './page-words.ts'
import type { ExchangeVerdict, ObservedExchange, ObservedExchangeSink } from '../http/observed-exchange.ts'
import { GONE } from '../privacy/withdrawal.ts'
import { SeenExchange } from './seen-exchange.ts'
import { ReaderQuorum } from '../privacy/reader-quorum.ts'
import { isRobotsUrl, RobotsMemory } from '../privacy/robots-memory.ts'

/** Where the numbers of batches come from, and where the table is made durable. */
export interface NodeState {
  readonly table: PageTable
  readonly run: string
  readonly number: number
  commit(number: number): void
}

export interface GatewayNodeOptions {
  readonly gate: Partial<PrivacyGateOptions>
  /** Bytes that nobody can guess, made anew for each process. */
  readonly salt: Uint8Array
  /** Readers that must have got the same page, where it was asked for with cookies. */
  readonly quorum?: number | undefined
  readonly state: NodeState
  /** Where batches wait; without one they are only handed to `onBatch`. */
  readonly spool?: BatchSpool | undefined
  readonly schedule?: BatchSchedule | undefined
  readonly rest?: RestLimits | undefined
  /** How often the repository is told that a page is as it was. */
  readonly tellEverySeconds?: number | undefined
  /** Hosts whose pages are shipped beside their words. */
  readonly withPages?: readonly string[] | undefined
  /** Hosts that readers know by https: somebody else takes the encryption off before it comes here. */
  readonly https?: readonly string[] | undefined
  /** For PDF files, where the gate lets them through. */
  readonly pdf?: Pick<PdfReader, 'read'> | undefined
  /** Rules of the repository's that the operator lets run here. */
  readonly program?: PageProgram | undefined
  /** Where faults of ours are written down; in memory unless given. */
  readonly faults?: FaultLog | undefined
  /** That read pages beside this one; 0 unless given. */
  readonly threads?: number | undefined
  readonly now: () => Instant
  readonly onBatch?: ((cut: CutBatch) => void) | undefined
  readonly tell?: ((sentence: string) => void) | undefined
}

const TELL_EVERY_SECONDS = 3_600
/** The head of such an answer is sure, though its body is not at hand. */
const HEADS: ReadonlySet<ExchangeVerdict> = new Set(['hole', 'cut-short', 'too-large', 'no-room'])

/** Its body without a coding is made only for who asks for it: most want no more than what was read in it. */
const shownPage = (seen: SeenExchange, page: Omit<SeenPage, 'body'>): SeenPage => ({
  ...page,
  get body() {
    return seen.body()
  },
})

interface UnderWay {
  documents: number
  /** Why none of it is shipped any more. */
  withdrawn: string | undefined
}

export class GatewayNode implements ObservedExchangeSink, Disposable {
  readonly figures: NodeFigures = newFigures()
  readonly #options: GatewayNodeOptions
  readonly #gate: PrivacyGate
  readonly #robots: RobotsMemory
  readonly #table: PageTable
  readonly #maker = new BatchMaker()
  readonly #line: PageLine
  readonly #reader = new PageReader()
  readonly #faults: FaultLog
  readonly #documents: DocumentMaker
  /** By URL: what a program or a reader of PDF files has begun with. */
  readonly #underWay = new Map<string, UnderWay>()
  readonly #productToken: string
  #clock: Instant = 0

  constructor(options: GatewayNodeOptions) {
    this.#options = options
    this.#table = options.state.table
    this.#faults = options.faults ?? new FaultLog({ now: options.now, tell: options.tell })
    this.#productToken = options.gate.productToken ?? gateDefaults.productToken
    this.#robots = new RobotsMemory(this.#productToken)
    const { quorum, pdf, program, threads = 0 } = options
    this.#line = new PageLine(
      threads,
      (seen) => this.#passed(seen),
      (seen) => this.#isWorthReading(seen),
    )
    this.#documents = new DocumentMaker({ productToken: this.#productToken, pdf, program })
    const readers = new ReaderQuorum(options.salt, quorum === undefined ? {} : { readers: quorum })
    this.#gate = new PrivacyGate(options.gate, readers, (url) => this.#robots.allows(url))
  }

  /** Whether a body is worth rebuilding. */
  readonly wants: BodyWish = (request, { headers, status }) => {
    if (request === undefined || request.method !== 'GET') return false
    return this.#gate.wants(headers, status) || (status === 200 && request.target.endsWith('/robots.txt'))
  }

  observed(observed: ObservedExchange): void {
    this.figures.messages++
    if (observed.verdict === 'whole' || observed.verdict === 'not-wanted') this.figures.captures++
    this.figures.bytes += observed.body.length
    const url = pageAddress(observed.url, this.#options.https)
    this.#line.take(new SeenExchange(observed, url, this.#gate, this.#read))
  }

  /** In the order in which they went by. */
  #passed(seen: SeenExchange): void {
    const reason = this.#taken(seen)
    if (reason !== undefined) this.#skip(reason)
    this.#cutWhenDue(this.#clock)
  }

  readonly #read = (source: PageSource): PageReading => this.#reader.read(source)

  /** Whether its body will have to be read, as far as that can be said while others go before it. */
  #isWorthReading(seen: SeenExchange): boolean {
    const { observed, url } = seen
    const { verdict, request, response } = observed
    if (verdict !== 'whole' || request?.method !== 'GET' || response === undefined || url === undefined) return false
    if (!this.#gate.wants(response.headers, response.status) || this.#gate.outsider(observed) !== undefined)
      return false
    const known = this.#table.get(url)
    return this.#gate.personal(observed) === undefined && (known === undefined || known.coded !== seen.coded)
  }

  #taken(seen: SeenExchange): string | undefined {
    try {
      return this.#take(seen)
    } catch (error) {
      this.#faults.note('exchange', error)
      return 'fault'
    }
  }

  /** It is so late now: cuts a batch when it is time. */
  tick(now: Instant): void {
    this.#line.go()
    this.#cutWhenDue(now)
  }

  #cutWhenDue(now: Instant): void {
    if (cutsAt(this.#maker.gathered, this.#options.schedule ?? batchSchedule) <= now) this.#cut()
  }

  /** Everything that was begun is done. */
  async settle(): Promise<void> {
    this.#line.end()
    await this.#documents.settle()
  }

  [Symbol.dispose](): void {
    this.#line[Symbol.dispose]()
  }

  /** All that was gathered, as a batch, durable. */
  cut(): void {
    this.#line.end()
    this.#cut()
  }

  #cut(): void {
    const { state, spool, onBatch } = this.#options
    const cut = this.#made()
    if (cut === undefined) return
    this.figures.batches++
    this.figures.batchBytes += cut.bytes.length
    this.figures.postingBytes += cut.batch.postings.length
    this.figures.evictedPages = this.#table.evicted
    try {
      const dropped = spool?.add(state.run, cut.batch.number, cut.bytes) ?? []
      for (const batch of dropped) this.#drop(batch, 'there are more than may wait')
    } catch (error) {
      this.#drop(cut.bytes, messageOf(error))
    }
    this.#commit(cut.batch.number)
    onBatch?.(cut)
  }

  #made(): CutBatch | undefined {
    const { run, number } = this.#options.state
    try {
      return this.#maker.cut(run, number + 1, ({ url, digest }, error) => {
        this.#faults.note('document', error, { url, digest: digest.slice('sha-256:'.length) })
        this.#skip('fault')
        this.#table.forget(url)
      })
    } catch (error) {
      this.#faults.note('batch', error)
      for (const url of this.#maker.drop()) this.#table.forget(url)
      return undefined
    }
  }

  /** Pages of a batch that will never arrive are new when they come again, after a restart too. */
  forget(batch: Uint8Array): void {
    for (const url of shippedUrls(batch)) this.#table.forget(url)
    this.#commit(this.#options.state.number)
  }

  /** A table that cannot be written is no reason to stop: after a restart pages are shipped once more. */
  #commit(number: number): void {
    try {
      this.#options.state.commit(number)
    } catch (error) {
      this.#options.tell?.(messageOf(error))
    }
  }

  #drop(batch: Uint8Array, why: string): void {
    this.figures.droppedBatches++
    for (const url of shippedUrls(batch)) this.#table.forget(url)
    // Nobody would tell of these again: their pages are not known here any more.
    this.#maker.carry(goneRows(batch), this.#clock)
    this.#options.tell?.(`A batch was given up: ${why}. Its pages are shipped again when they come by.`)
  }

  #skip(reason: string): void {
    addCount(this.figures.skipped, reason)
    this.#maker.skip(reason)
  }

  /** Why nothing of it is shipped or counted; undefined when something is. */
  #take(seen: SeenExchange): string | undefined {
    const { observed, url } = seen
    const { verdict, request, response } = observed
    const isWhole = verdict === 'whole' || verdict === 'not-wanted'
    if (!isWhole && !HEADS.has(verdict)) return verdict
    if (url === undefined || request === undefined || response === undefined) return isWhole ? 'unsure-url' : verdict
    // A clock that is ahead must not make a page newer than all that follow.
    const at = Math.min(observed.endedAt, this.#options.now())
    this.#clock = Math.max(this.#clock, at)
    const outsider = this.#gate.outsider(observed)
    if (outsider !== undefined) return isWhole ? outsider : verdict
    const personal = this.#gate.personal(observed)
    // What one reader was told are no rules for everybody; where it is not known, rules are better kept.
    if (personal === undefined || personal === 'unseen') this.#robots.learn(observed)
    const known = this.#table.get(url)
    const isHeld = known !== undefined || this.#underWay.has(url)
    const withdrawn = isHeld ? this.#gate.withdrawnByHead(observed, url) : undefined
    if (withdrawn !== undefined) return this.#lose(url, response.status, at, withdrawn)
    if (!isWhole) return verdict
    if (known === undefined) return this.#judge(seen, url, at, undefined)
    const { status } = response
    const isGet = request.method === 'GET'
    if (personal !== undefined && isGet && GONE.has(status)) return personal
    if (status === 304 || (request.method === 'HEAD' && status === 200)) return this.#confirm(observed, url, at, known)
    const isSame = isGet && status === 200 && verdict === 'whole' && seen.coded === known.coded
    if (isSame && this.#robots.allows(observed.url!) !== false) {
      this.#page(known.bytes, 'same')
      this.#hit(observed, url, at, this.#again(url, at, known))
      return undefined
    }
    return this.#judge(seen, url, at, known)
  }

  #judge(seen: SeenExchange, url: string, at: Instant, known: ShippedPageRow | undefined): string | undefined {
    const { observed } = seen
    const { request, response, verdict } = observed
    if (verdict === 'not-wanted')
      return request!.method !== 'GET' ? 'not-get' : response!.status === 200 ? 'media-type' : 'status'
    const judged = this.#gate.pass(seen)
    if (typeof judged === 'string') {
      if (known === undefined && !this.#underWay.has(url)) return judged
      const withdrawn = this.#gate.withdrawnByBody(seen)
      if (withdrawn !== undefined) return this.#lose(url, 200, at, withdrawn)
      if (known === undefined) return judged
      // Somebody reads a page that everybody may, in whatever way they asked for it.
      if (judged === 'cookie' || judged === 'query') this.#hit(observed, url, at, known)
      return judged
    }
    const { reading, headers, ends } = judged
    if (isRobotsUrl(url)) return 'media-type'
    const { digest, bytes } = reading
    const version = versionOf(headers, at)
    const found = judgePage(known, digest, version, at, this.#options.rest ?? restLimits)
    this.#page(bytes, found)
    // A page whose time will be over is judged each time it passes.
    const coded = ends === undefined ? seen.coded : NO_TAG
    if (found !== 'new' && found !== 'changed') {
      const isSame = found === 'same' || found === 'same-version'
      this.#hit(
        observed,
        url,
        at,
        isSame ? this.#again(url, at, { ...known!, coded, ...newerOf(known!, version) }) : known!,
      )
      return undefined
    }
    const seconds = Math.floor(at / 1_000)
    const { readers = 0, robots = 0 } = known ?? {}
    const times = { shippedAt: Math.max(1, seconds), seenAt: seconds, toldAt: seconds }
    const page = { ...version, digest, coded, ...times, readers, robots, bytes }
    this.#ship(shownPage(seen, { url, at, headers, digest, reading }), () => {
      // Somebody else may have read it while a program or a PDF file took its time.
      const now = this.#table.get(url)
      this.#hit(observed, url, at, now?.digest === digest ? now : page)
    })
    return undefined
  }

  #page(bytes: number, found: keyof NodeFigures['verdicts']): void {
    this.figures.pages++
    this.figures.htmlBytes += bytes
    this.figures.verdicts[found]++
    this.#maker.saw(bytes)
  }

  #ship(page: SeenPage, ship: () => void): void {
    if (this.#faults.isKnown(page)) return this.#skip('fault')
    const work = this.#begun(page.url)
    this.#documents.make(page, (made) => {
      if (--work.documents === 0 && this.#underWay.get(page.url) === work) this.#underWay.delete(page.url)
      try {
        if (work.withdrawn === undefined) this.#make(page, made, ship)
        else this.#skip(work.withdrawn)
      } catch (error) {
        this.#faults.note('document', error, page)
        this.#skip('fault')
      }
    })
  }

  #begun(url: string): UnderWay {
    const work = this.#underWay.get(url) ?? { documents: 0, withdrawn: undefined }
    work.documents++
    this.#underWay.set(url, work)
    return work
  }

  #make(page: SeenPage, made: MadeDocument, ship: () => void): void {
    // A batch tells of them though no page of it is shipped: the repository takes back a program that fails.
    const faults = this.#options.program?.takeFaults() ?? {}
    for (const [figure, times] of Object.entries(faults)) this.#maker.fault(figure, times, page.at)
    if (made.kind === 'fault') throw made.error
    if (made.kind === 'skip') return this.#skip(made.reason)
    this.#shipped(page, made)
    ship()
  }

  #shipped(page: SeenPage, { document, isOwn }: Extract<MadeDocument, { kind: 'document' }>): void {
    this.figures.freshHtmlBytes += page.reading?.bytes ?? page.body.length
    this.#maker.ship(document)
    const { withPages = [] } = this.#options
    const isWanted = isOwn && withPages.length > 0 && matchesHost(withPages, new URL(page.url).host)
    if (isWanted && mayArchive(page, this.#productToken)) this.#maker.shipPage(page)
  }

  #hit({ request }: ObservedExchange, url: string, at: Instant, known: ShippedPageRow): void {
    const isByRobot = isRobot(request!.headers)
    this.figures.hits[isByRobot ? 'robots' : 'readers']++
    this.#maker.hit(url, isByRobot, at)
    const { readers, robots } = known
    const counts = isByRobot ? { readers, robots: robots + 1 } : { readers: readers + 1, robots }
    this.#table.set(url, { ...known, ...counts, seenAt: Math.floor(at / 1_000) })
  }

  /** It is as it was: told now and then. */
  #again(url: string, at: Instant, known: ShippedPageRow): ShippedPageRow {
    const seconds = Math.floor(at / 1_000)
    if (seconds - known.toldAt < (this.#options.tellEverySeconds ?? TELL_EVERY_SECONDS)) return known
    this.figures.seenAgain++
    this.#maker.seenAgain(url, known.digest, at)
    return { ...known, toldAt: seconds }
  }

  /** 304, or HEAD: no page goes by, but what it is. A reader whose copy is good is a reader. */
  #confirm(observed: ObservedExchange, url: string, at: Instant, known: ShippedPageRow): string | undefined {
    const { request, response } = observed
    const isSame = isSameVersion(known, versionOf(response!.headers, at))
    const now = isSame ? this.#again(url, at, known) : known
    if (request!.method !== 'GET') {
      if (now !== known) this.#table.set(url, now)
      return 'not-get'
    }
    this.#hit(observed, url, at, now)
    return undefined
  }

  /** Also what is about to be shipped. */
  #lose(url: string, status: number, at: Instant, reason: string): string {
    const work = this.#underWay.get(url)
    if (work !== undefined) work.withdrawn = reason
    this.#underWay.delete(url)
    if (!this.#table.has(url)) return reason
    this.figures.gone++
    this.#maker.gone(url, status, at)
    this.#table.forget(url)
    return reason
  }
}
