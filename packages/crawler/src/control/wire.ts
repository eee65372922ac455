/**
 * The control line as it is spoken: one JSON object a line, requests one way and answers the other.
 *
 *   → {"id":1,"do":"seed","url":"https://example.org/"}       ← {"id":1,"ok":true,"seed":{"url":…,"isNew":true}}
 *   → {"id":2,"do":"budget","budget":{"maxPages":null}}       ← {"id":2,"ok":true,"budget":{…}}       null: no limit
 *   → {"id":3,"do":"pause"}    resume, stop, status alike     ← {"id":3,"ok":true,"status":{…}}
 *   → {"id":4,"do":"watch"}                                   ← {"id":4,"ok":true,"sample":{…}} again and again
 *   → what cannot be done, or read                            ← {"id":5,"error":{"code":…,"message":…}}
 *
 * Requests may follow each other without waiting; each answer carries its request's id, and may overtake others.
 */
import { controlInvalid } from './control-error.ts'
import type { CrawlBudget } from './crawl-budget.ts'

/** Longest line of either side, without its end. A URL has 2,000 characters, a sample a few thousand at most. */
export const MAX_LINE_BYTES: number = 64 << 10

const VERBS = ['status', 'pause', 'resume', 'stop', 'watch', 'seed', 'budget'] as const
type Verb = (typeof VERBS)[number]

export type RequestId = number | string | null

export type ControlRequest = { readonly id: RequestId } & (
  | { readonly do: Exclude<Verb, 'seed' | 'budget'> }
  | { readonly do: 'seed'; readonly url: string }
  | { readonly do: 'budget'; readonly budget: Partial<CrawlBudget> }
)

/** The lines of a stream. Throws at one that is too long, having kept no more of it than the limit. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, start)) {
      requireShort(end - start)
      yield rest.toString('utf8', start, end)
      start = end + 1
    }
    rest = rest.subarray(start)
    requireShort(rest.length)
  }
}

function requireShort(bytes: number): void {
  if (bytes > MAX_LINE_BYTES) throw controlInvalid(`A line has at most ${MAX_LINE_BYTES} bytes.`)
}

/** Infinity, which JSON does not know, becomes null. */
export const lineOf = (message: object): string => `${JSON.stringify(message)}\n`

/** An object that a line holds; undefined when it holds something else. */
export function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The id to answer to, whatever else the line holds. */
export function idOf(message: Readonly<Record<string, unknown>> | undefined): RequestId {
  const id = message?.['id']
  if (typeof id === 'number') return id
  return typeof id === 'string' && id.length <= 100 ? id : null
}

export function readRequest(message: Readonly<Record<string, unknown>> | undefined): ControlRequest {
  if (message === undefined) throw controlInvalid('A request is one JSON object on one line.')
  const id = idOf(message)
  const verb = VERBS.find((name) => name === message['do'])
  if (verb === undefined) throw controlInvalid(`"do" must be one of ${VERBS.join(', ')}.`)
  if (verb === 'seed') {
    const { url } = message
    if (typeof url !== 'string') throw controlInvalid('"seed" needs a "url".')
    return { id, do: verb, url }
  }
  if (verb === 'budget') {
    const { budget } = message
    if (!isObject(budget)) throw controlInvalid('"budget" needs a "budget", such as {"maxPages":1000}.')
    return { id, do: verb, budget: readBudget(budget) }
  }
  return { id, do: verb }
}

/** Null was Infinity. Whether names and numbers make sense is for the crawl to say. */
export function readBudget(budget: Readonly<Record<string, unknown>>): Partial<CrawlBudget> {
  return Object.fromEntries(Object.entries(budget).map(([name, value]) => [name, value ?? Infinity]))
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
