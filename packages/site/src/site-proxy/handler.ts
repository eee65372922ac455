/**
 * SiteHandler: who answers what comes to a site's proxy. The site's own documents are answered here; all else goes on to the origin,
 * without what would keep its answer from being a page that can be learnt.
 */
import { textOf } from '@comity/protocol'
import type { Answerer, Asker } from '../proxy/asker.ts'
import type { ProxyRequest } from '../proxy/proxy-request.ts'
import type { OriginRobots } from '../privacy/origin-robots.ts'
import { OwnAnswer } from './answer.ts'
import { PageAsker } from './page.ts'
import type { PageContext } from './page.ts'
import { sentenceAnswer } from '../site-request.ts'
import type { SiteAnswer } from '../site-request.ts'

export class SiteHandler implements Answerer {
  readonly #origin: Answerer
  readonly #robots: OriginRobots
  readonly #context: PageContext
  /** How each of those that were taken is left. */
  readonly #leaving = new WeakMap<Asker, () => void>()

  constructor(origin: Answerer, robots: OriginRobots, context: PageContext) {
    this.#origin = origin
    this.#robots = robots
    this.#context = context
  }

  take(asker: Asker): void {
    void this.#robots.refresh()
    const { target } = asker.request
    if (target === '/robots.txt' && !this.#robots.isKnown) void this.#answer(asker, async () => unknownRobots())
    else if (this.#context.front.isOurs(target))
      void this.#answer(asker, async (own) => await this.#context.front.answer(own.request))
    else this.#pass(asker)
  }

  leave(asker: Asker): void {
    this.#leaving.get(asker)?.()
  }

  async #answer(asker: Asker, make: (own: OwnAnswer) => Promise<SiteAnswer | undefined>): Promise<void> {
    const own = new OwnAnswer(asker, this.#context.now)
    this.#leaving.set(asker, () => own.abandon())
    const answer = await this.#made(own, make)
    try {
      if (answer !== undefined) await own.answer(answer)
      else if (!own.isGone) this.#pass(asker)
    } catch (error) {
      this.#tell(asker, error)
      if (!own.isGone) await own.answer(failed())
    }
  }

  async #made(
    own: OwnAnswer,
    make: (own: OwnAnswer) => Promise<SiteAnswer | undefined>,
  ): Promise<SiteAnswer | undefined> {
    try {
      return await make(own)
    } catch (error) {
      if (!own.isGone) this.#context.tell(`${own.request.path} could not be answered: ${textOf(error)}`)
      return failed()
    }
  }

  #tell({ request }: Asker, error: unknown): void {
    this.#context.tell(`${request.target} could not be answered: ${textOf(error)}`)
  }

  #pass(asker: Asker): void {
    const { method, target, fields } = asker.request
    const isPage = (method === 'GET' || method === 'HEAD') && this.#context.front.known(target) !== undefined
    const request: ProxyRequest = {
      ...asker.request,
      // Most sites make no body for HEAD, and without one there is no digest.
      method: isPage ? 'GET' : method,
      fields: originFields(fields, isPage),
    }
    const page = new PageAsker(asker, request, this.#context)
    this.#leaving.set(asker, () => this.#origin.leave(page))
    this.#origin.take(page)
  }
}

const unknownRobots = (): SiteAnswer =>
  sentenceAnswer(503, "The origin's robots.txt cannot be had at the moment.", [['Retry-After', '60']])

const failed = (): SiteAnswer => sentenceAnswer(500, 'This could not be answered. The log of the server says why.')

/** Of a page that is known, answered here: the origin's own tags and ours mean nothing to each other. */
const CONDITIONS: ReadonlySet<string> = new Set([
  'a-im',
  'available-dictionary',
  'dictionary-id',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
])

function originFields(fields: string, isPage: boolean): string {
  return fields
    .split(/(?<=\r\n)/)
    .map((line) => {
      const name = line.slice(0, line.indexOf(':')).toLowerCase()
      if (name === 'accept-encoding') return `Accept-Encoding: ${knownCodings(line.slice(name.length + 1))}\r\n`
      return isPage && CONDITIONS.has(name) ? '' : line
    })
    .join('')
}

/** Those that can be undone here; nobody has told the origin of a dictionary. */
const knownCodings = (value: string): string =>
  value
    .split(',')
    .filter((part) => /^\s*(?:x-gzip|gzip|br|zstd|deflate|identity)\s*(?:;|$)/i.test(part))
    .map((part) => part.trim())
    .join(', ') || 'identity'
