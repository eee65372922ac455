/**
 * Forget what was sent: pages that are forgotten leave the inbox, the notices that wait for their proof, the uploads that are not
 * whole yet, and the dead letters; subscriptions to them end.
 *
 *   item of a site whose pages stay ─▶ stays as it is: a site speaks of its own pages and of no others
 *   item, read ─▶ none of its pages leaves: stays; some do: the rest stays in its place; all do: goes
 *   item or letter that cannot be read ─▶ goes when its site has pages that leave, or nobody knows whose it is
 *   letter that names a page that leaves, or holds one among others ─▶ goes
 *
 * Whoever may write the inbox does this: the lock of each is taken before anything is changed.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OpenedParts } from '@comity/disk'
import { canonicalUrl, defaultUrlRules, siteOf, withCanonicalPath } from '@comity/protocol'
import type { Instant, UrlRules } from '@comity/protocol'
import type { Collection } from '../collection.ts'
import { forgetLetters } from '../faults/dead-letters.ts'
import type { HeldLetter, LetterKind } from '../faults/dead-letters.ts'
import { FileInbox } from '../inbox/file-inbox.ts'
import { forgetUploads } from './uploads.ts'
import type { Leaving } from './plan.ts'
import type { InboxItem } from '../inbox/inbox.ts'
import type { RedactedRemainder, SentContent, SentRedactor } from '../inbox/sent-content.ts'
import { SubscriptionStore } from '../inbox/subscription-store.ts'
import type { Subscription } from '../inbox/subscription.ts'
import { FACTS } from '../rows/facts.ts'

export interface ForgetSentOptions {
  /** Without it nothing can be read, and what may hold a page that leaves goes as a whole. */
  readonly redact?: SentRedactor | undefined
  readonly onStep?: ((step: string) => void) | undefined
  /** Only count. */
  readonly isDry?: boolean | undefined
}

export interface ForgottenSent {
  /** Items that waited, and uploads, that are gone or others. */
  readonly items: number
  readonly letters: number
}

/** The number of the last item of the inbox whose consequences are durable. */
export function inboxCursor(collection: Collection): number {
  return collection.fact(FACTS.inbox) ?? 0
}

export async function forgetSent(
  collection: Collection,
  leaving: Leaving,
  now: Instant,
  { redact = async () => 'unreadable', onStep = () => undefined, isDry = false }: ForgetSentOptions,
): Promise<ForgottenSent> {
  const { dir } = collection
  const rules = new SentRules(leaving, redact, collection.urlRules())
  await using inboxes = new OpenedParts()
  const open: FileInbox[] = []
  for (const [name, after] of [['inbox', inboxCursor(collection)] as const, ['pending', 0] as const]) {
    if (!existsSync(join(dir, name))) continue
    open.push(inboxes.add(await FileInbox.open(dir, after, { name })))
  }
  onStep('looking for what was sent')
  const letters = await forgetLetters(dir, (letter) => rules.isLetterLeaving(letter), isDry)
  let items = forgetUploads(dir, (origin) => rules.mayHold(origin), isDry)
  const leftOf = (item: InboxItem): Promise<RedactedRemainder> => rules.leftOf(item)
  for (const inbox of open) items += isDry ? await countIn(inbox, leftOf) : await inbox.forget({ leftOf, onStep })
  if (!isDry) await SubscriptionStore.open(dir).forget((one) => rules.isEnding(one), now)
  return { items, letters }
}

async function countIn(inbox: FileInbox, leftOf: (item: InboxItem) => Promise<RedactedRemainder>): Promise<number> {
  let count = 0
  for await (const item of inbox.items()) if ((await leftOf(item)) !== 'all') count++
  return count
}

/** What a letter of these kinds is about is one page, when it names one. */
const OF_ONE_PAGE: ReadonlySet<LetterKind> = new Set([
  'page',
  'sent',
  'notice',
  'claim',
  'shipped',
  'document',
  'record',
])

/** Which of what was sent goes with the pages that leave. */
class SentRules {
  readonly #leaving: Leaving
  /** Sites of which something leaves. */
  /** As they are written, and plain: a page is the same in every spelling of its path. */
  readonly #urls: ReadonlySet<string>
  readonly #sites: ReadonlySet<string>
  readonly #redact: SentRedactor
  readonly #urlRules: UrlRules

  constructor(leaving: Leaving, redact: SentRedactor, urlRules: UrlRules) {
    this.#leaving = leaving
    this.#urlRules = urlRules
    this.#urls = new Set([...leaving.urls].flatMap((url) => [url, withCanonicalPath(url)]))
    this.#sites = new Set([...leaving.origins, ...leaving.urls.values().map(siteOf)])
    this.#redact = redact
  }

  async leftOf(item: InboxItem): Promise<RedactedRemainder> {
    if (this.#leaving.origins.has(item.origin)) return 'nothing'
    if (!this.mayHold(item.origin)) return 'all'
    return await this.#redacted(item)
  }

  async isLetterLeaving(letter: HeldLetter): Promise<boolean> {
    const { kind, url, page, origin, from, item, body } = letter
    if (url !== undefined && this.#leaves(url)) return true
    if (page !== undefined && this.#leaving.pages.has(page)) return true
    if (this.#leaving.origins.has(origin ?? '') || this.#isNamedIn(letter)) return true
    if (body.length === 0 || (url !== undefined && OF_ONE_PAGE.has(kind))) return false
    const site = origin ?? siteIn(url) ?? siteIn(from)
    const left = await this.#redacted({ ...item, origin: site, body })
    return left === 'unreadable' ? this.mayHold(site) : left !== 'all'
  }

  isEnding({ origin, topic }: Subscription): boolean {
    return this.#leaving.origins.has(origin) || this.#leaves(topic)
  }

  async #redacted(content: SentContent): Promise<RedactedRemainder> {
    return content.body.length === 0 ? 'all' : await this.#redact(content, (url) => this.#leaves(url))
  }

  /** Sites speak of themselves; a gateway of whomever its readers read. */
  mayHold(origin: string | undefined): boolean {
    return origin === undefined || siteIn(origin) === undefined || this.#sites.has(origin)
  }

  #leaves(said: string): boolean {
    const url = canonicalUrl(said, undefined, this.#urlRules) ?? said
    const { origins } = this.#leaving
    return [said, url, withCanonicalPath(url)].some((one) => this.#urls.has(one)) || origins.has(siteOf(url))
  }

  /** An error may quote what it met. */
  #isNamedIn({ reason, trace = '', from = '' }: HeldLetter): boolean {
    const words = `${reason} ${trace} ${from}`.match(/\bhttps?:\/\/[^\s"'<>`)\]},]+/gi) ?? []
    return words.some((word) => this.#leaves(word) || this.#leaves(word.replace(/[.:;!?]+$|:\d+:\d+$/, '')))
  }
}

/** Of an address of the web. */
function siteIn(said: string | undefined): string | undefined {
  // No rules say anything of a site.
  const url = said === undefined ? undefined : canonicalUrl(said, undefined, defaultUrlRules)
  return url === undefined ? undefined : siteOf(url)
}
