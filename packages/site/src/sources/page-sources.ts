/**
 * Page sources: pages that no scan of files finds. Addresses come from a list or a generator, each is asked for through a
 * function that answers as the site would a stranger, and what comes of it goes through the same rules as everything else.
 * A CMS that knows by itself what changed calls `noteChange`.
 */
import { textOf } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { observeAnswer } from './answer-digest.ts'
import type { AnswerOptions, SeenAnswer } from './answer-digest.ts'
import type { CookieWatch } from './cookie-watch.ts'
import type { Change, Journal } from '../journal/journal.ts'
import { privateFor } from '../privacy/private-reason.ts'
import type { PrivateReason, PublicVerdict } from '../privacy/private-reason.ts'
import { RecordBatch } from '../journal/record-batch.ts'

export interface OwnPageAnswer {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
}

/** All that asking for pages touches outside itself. Ask without cookies, as a stranger would. */
export interface PageSourceWorld {
  now(): Instant
  answer(path: string, signal: AbortSignal): Promise<OwnPageAnswer>
}

export interface PageSourceOptions extends AnswerOptions {
  /** The site's origin; addresses of other sites are left out. Without it only paths are taken. */
  readonly base?: string | undefined
  /** A generator may go on for ever. */
  readonly maxPages?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly cookies?: CookieWatch | undefined
}

export interface PageSourceSummary {
  readonly asked: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly private: Readonly<Partial<Record<PrivateReason, number>>>
  /** Addresses that are no address of this site. */
  readonly elsewhere: number
  /** There were more addresses than `maxPages`. */
  readonly isCut: boolean
}

const MAX_PAGES = 1_000_000
const TIMEOUT_MS = 30_000

/** Asks for each address once, one after the other, and records what came of it. */
export async function recordPages(
  journal: Journal,
  addresses: Iterable<string> | AsyncIterable<string>,
  options: PageSourceOptions,
  world: PageSourceWorld,
  signal: AbortSignal,
): Promise<PageSourceSummary> {
  const { maxPages = MAX_PAGES } = options
  const batch = new RecordBatch(journal, () => world.now())
  const refused: Partial<Record<PrivateReason, number>> = {}
  let [asked, elsewhere, isCut] = [0, 0, false]
  for await (const address of addresses) {
    signal.throwIfAborted()
    if (asked + elsewhere >= maxPages) {
      isCut = true
      break
    }
    const path = pathOfAddress(address, options.base)
    if (path === undefined) {
      elsewhere++
      continue
    }
    asked++
    const seen = await observePage(journal, path, options, world, signal)
    if (seen.kind === 'observed') batch.add(seen.observation)
    if (!seen.verdict.public) refused[seen.verdict.reason] = (refused[seen.verdict.reason] ?? 0) + 1
    noteCookie(options.cookies, seen.verdict)
    await batch.flushWhenFull()
  }
  await batch.flush()
  return { asked, ...batch.counts, private: refused, elsewhere, isCut }
}

async function observePage(
  journal: Journal,
  path: string,
  options: PageSourceOptions,
  world: PageSourceWorld,
  signal: AbortSignal,
): Promise<SeenAnswer> {
  const { timeoutMs = TIMEOUT_MS } = options
  const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const answer = await Promise.race([world.answer(path, ending), endOf(ending)])
    return observeAnswer({ path, isListed: true }, answer, options, journal.page(path), world.now())
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'ignored', verdict: privateFor('no-answer', textOf(error)) }
  }
}

/** A function that does not heed its signal is not waited for either. */
function endOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  return promise
}

/** Only answers that could have been public count: a login page that sets a cookie is as it should be. */
function noteCookie(cookies: CookieWatch | undefined, verdict: PublicVerdict): void {
  if (verdict.public || verdict.reason === 'cookie-set') cookies?.note(!verdict.public)
}

/** What a CMS says when an editor has saved or deleted a page. */
export type NotedPage =
  | { readonly path: string; readonly gone: true }
  | {
      readonly path: string
      readonly type: string
      readonly body: Uint8Array
      readonly headers?: HeaderList | undefined
    }

export interface Noted {
  readonly changes: readonly Change[]
  /** Why the page was not listed, or no longer is. */
  readonly verdict: PublicVerdict
}

/** One change, from somebody who knows of it. It goes through the rules like any other. */
export async function noteChange(
  journal: Journal,
  page: NotedPage,
  options: AnswerOptions,
  at: Instant,
): Promise<Noted> {
  const seen = 'gone' in page ? goneAs(page.path) : observeNoted(journal, page, options, at)
  const changes = seen.kind === 'observed' ? await journal.record([seen.observation], at) : []
  return { changes, verdict: seen.verdict }
}

function observeNoted(
  journal: Journal,
  { path, type, body, headers = [] }: Exclude<NotedPage, { gone: true }>,
  options: AnswerOptions,
  at: Instant,
): SeenAnswer {
  const answer = { status: 200, headers: [...headers, ['Content-Type', type] as const], body }
  return observeAnswer({ path, isListed: true }, answer, options, journal.page(path), at)
}

function goneAs(path: string): SeenAnswer {
  return { kind: 'observed', observation: { path, gone: true }, verdict: privateFor('missing', 'deleted') }
}

/** Path and query of a listed address; undefined for one of another site. `base` is the site's origin. */
export function pathOfAddress(address: string, base: string | undefined): string | undefined {
  const isPath = address.startsWith('/') && !address.startsWith('//')
  if (!URL.canParse(address, base ?? 'http://site.invalid')) return undefined
  const url = new URL(address, base ?? 'http://site.invalid')
  const isOurs = isPath || (base !== undefined && url.origin === new URL(base).origin)
  return isOurs ? url.pathname + url.search : undefined
}
