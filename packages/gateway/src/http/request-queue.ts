/**
 * RequestQueue: which request does an answer answer? They come in the same order, so it is a matter of counting; and where a
 * capture lost something, of knowing what can have been lost.
 *
 *   seen ── seen ── hidden? ── seen        requests that wait, and stretches of bytes that were lost: how many requests were in
 *    ▲                                     them is known to lie between two numbers
 *    next answer; or, after answers were lost, one of the next few
 *
 * An answer goes to a request only when no other is possible: it was received before the answer was sent, and asked before the
 * answer was received, by the numbers that each packet carries; it is the only one left by count; and after a loss the numbers
 * meet exactly: the answer begins where its client had heard up to, and was sent when its server had heard up to the end of the
 * request (001 §IV). When that cannot be had, nothing is sure any more: then the queue is adrift until it is anchored again.
 */
import type { Framed, Loss } from './framer.ts'
import type { RequestHead } from './head.ts'

/** A request that waits for its answer. */
export interface Asked {
  readonly head: RequestHead
  readonly start: number
  readonly bodyStart: number
  /** How far its client had received when it asked. */
  readonly ack: number
  readonly at: number
  /** Once it has ended. */
  message: Framed<RequestHead> | undefined
  /** It is the first one behind something that was lost. */
  isAfterLoss: boolean
  /** It was told of. */
  isTold: boolean
  /** What it takes in memory, as counted. */
  size: number
}

/** Lost bytes, and how many requests that wait for an answer can be in them. */
interface Hidden {
  readonly from: number
  readonly what: Loss['what']
  isClosed: boolean
  least: number
  most: number
}

interface Answered {
  readonly asked: Asked | undefined
  /** Whose answers were lost, or cannot be told apart any more. */
  readonly given: readonly Asked[]
}

const NOBODY: Answered = { asked: undefined, given: [] }
/** No request is shorter: `GET / HTTP/1.1` and two line ends. */
const SHORTEST_REQUEST = 18
const SHORTEST_ANSWER = 19
/** Empty lines that some send between two messages. */
const MOST_BETWEEN = 4

export class RequestQueue {
  #entries: (Asked | Hidden)[] = []
  /** Answers were lost: so many of the requests before were answered at least. */
  #lostAnswers: { loss: Loss | undefined } | undefined
  /** The first request of the connection: what the others have in common with it shows how short they can be. */
  #model: RequestHead | undefined
  #isAdrift: boolean

  constructor(isAdrift: boolean) {
    this.#isAdrift = isAdrift
  }

  get isAdrift(): boolean {
    return this.#isAdrift
  }
  get isUnsure(): boolean {
    return this.#isAdrift || this.#lostAnswers !== undefined || this.#entries.some(isHidden)
  }
  get length(): number {
    return this.#entries.length
  }
  /** The request that is answered next, if that is sure. */
  get first(): Asked | undefined {
    const first = this.#lostAnswers === undefined ? this.#entries[0] : undefined
    return first === undefined || isHidden(first) ? undefined : first
  }

  ask(asked: Asked): void {
    if (this.#isAdrift) return
    const last = this.#entries.at(-1)
    if (last !== undefined && isHidden(last)) this.#closeHidden(last, asked)
    this.#model ??= asked.head
    this.#entries.push(asked)
  }

  /** Whatever was before, this request is the only one that waits. Returns those that were thought to. */
  anchor(asked: Asked): readonly Asked[] {
    const given = this.drift()
    this.#isAdrift = false
    this.#model ??= asked.head
    asked.isAfterLoss = true
    this.#entries.push(asked)
    return given
  }

  /** Nothing is sure any more. Returns those that wait. */
  drift(): readonly Asked[] {
    const given = this.#entries.filter((entry): entry is Asked => !isHidden(entry))
    this.#entries = []
    this.#lostAnswers = undefined
    this.#isAdrift = true
    return given
  }

  /** The one that waits longest is given up: there are too many. */
  shift(): Asked | undefined {
    const first = this.#entries.shift()
    return first === undefined || isHidden(first) ? undefined : first
  }

  lostRequests(loss: Loss): readonly Asked[] {
    if (this.#isAdrift) return []
    if (loss.what === 'sense' || this.#lostAnswers !== undefined) return this.drift()
    this.#entries.push({ from: loss.from, what: loss.what, isClosed: false, least: 0, most: Infinity })
    return []
  }

  lostAnswers(loss: Loss): readonly Asked[] {
    if (this.#isAdrift) return []
    if (loss.what === 'sense' || this.#entries.some(isHidden)) return this.drift()
    this.#lostAnswers = { loss }
    return []
  }

  /** The request of the answer that begins at `start`, sent when its server had received as far as `ack`. */
  answer(start: number, ack: number): Answered {
    if (this.#isAdrift) return NOBODY
    if (this.#lostAnswers !== undefined) return this.#afterLostAnswers(this.#lostAnswers, start, ack)
    const first = this.#entries[0]
    if (first === undefined) return this.#nobody()
    if (isHidden(first)) return this.#ofHidden(first, ack)
    if (!fits(first, start, ack) || (first.isAfterLoss && !meets(first, start, ack))) return this.#nobody()
    this.#entries.shift()
    return { asked: first, given: [] }
  }

  #nobody(): Answered {
    return { asked: undefined, given: this.drift() }
  }

  /** Now it is known how much was lost: is there room for one more request than was certainly there? */
  #closeHidden(hidden: Hidden, asked: Asked): void {
    const length = asked.start - hidden.from
    const size = this.#model === undefined ? undefined : shortestLike(this.#model, asked.head)
    const answered = -hidden.least
    const least = hidden.what === 'message' && length > MOST_BETWEEN ? 1 : 0
    hidden.least = Math.max(0, least - answered)
    hidden.most = size === undefined ? Infinity : Math.floor(length / size) - answered
    hidden.isClosed = true
    asked.isAfterLoss = true
    // Less room than there must have been: somebody asks in fewer words than before.
    if (hidden.most < hidden.least) this.drift()
    else if (hidden.most === 0) this.#entries.pop()
  }

  #ofHidden(hidden: Hidden, ack: number): Answered {
    const next = this.#entries[1]
    const isItsOwn = hidden.least > 0 || next === undefined || isHidden(next) || ack < next.bodyStart
    if (!isItsOwn) return this.#nobody()
    // While it is open, `least` counts down from zero what was answered of it.
    hidden.least = hidden.isClosed ? Math.max(0, hidden.least - 1) : hidden.least - 1
    hidden.most--
    if (hidden.isClosed && hidden.most === 0) this.#entries.shift()
    return NOBODY
  }

  #afterLostAnswers(lost: { loss: Loss | undefined }, start: number, ack: number): Answered {
    const entries = this.#entries as Asked[]
    const least = lost.loss !== undefined && hidesAnswer(lost.loss, start, entries[0]) ? 1 : 0
    const last = entries.findLastIndex((entry) => fits(entry, start, ack))
    if (last < least) return this.#nobody()
    const asked = entries[last]!
    const isSure = last === least && meets(asked, start, ack)
    // Those before it were answered, seen or not.
    const given = entries.splice(0, isSure ? last : least + 1)
    if (!isSure) {
      this.#lostAnswers = { loss: undefined }
      return { asked: undefined, given }
    }
    this.#lostAnswers = undefined
    entries.shift()
    return { asked, given }
  }
}

const isHidden = (entry: Asked | Hidden): entry is Hidden => 'most' in entry

/** It was received before the answer was sent, and asked before the answer was received. */
function fits({ bodyStart, ack: heard }: Asked, start: number, ack: number): boolean {
  return !(ack < bodyStart) && !(heard > start)
}

/** The answer begins where the client had heard up to, and was sent when the server had heard the request, and no more. */
function meets({ message, ack: heard }: Asked, start: number, ack: number): boolean {
  return heard === start && message !== undefined && message.end === ack
}

/** Whether at least one final answer was in what was lost before `start`. */
function hidesAnswer({ what, from, begin }: Loss, start: number, first: Asked | undefined): boolean {
  if (what !== 'message' || start - from < SHORTEST_ANSWER) return false
  if (begin !== '') return /^HTTP\/1\.[01] [2-5]/.test(begin)
  return first !== undefined && !first.head.headers.some(([name]) => name.toLowerCase() === 'expect')
}

/** What a request says of itself, and not of its client. */
const OF_ITSELF =
  /^(?:content-|if-|transfer-encoding$|expect$|cookie$|referer$|origin$|range$|te$|trailer$|upgrade$|x-)/i

/**
 * The least that another request of this client takes: clients say the same of themselves each time. Undefined when there is
 * but one to learn from.
 */
function shortestLike(one: RequestHead, other: RequestHead): number | undefined {
  if (one === other) return undefined
  const lines = new Set(one.headers.map(([name, value]) => `${name}:${value}`))
  let size = SHORTEST_REQUEST
  for (const [name, value] of other.headers) {
    if (lines.has(`${name}:${value}`) && !OF_ITSELF.test(name)) size += name.length + value.length + 4
  }
  return size
}
