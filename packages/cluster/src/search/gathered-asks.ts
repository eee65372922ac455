/**
 * GatheredAsks: questions to several shards of one machine, sent as one message. A search asks all shards the same at the same moment, and
 * a message costs more than most answers. Which machine has a shard is told by its answer to the first question; until then, and
 * whenever the whole message has no answer for it, a shard is asked alone.
 */
import { isListOf, isMaybe, isRecordOf, isText } from '@comity/collection'
import type { Shape } from '@comity/collection'
import { NoAnswer } from '../road/road.ts'
import type { Message, Road } from '../road/road.ts'

/** A place of a machine, as it says it in answers; it becomes a subject. */
const isGatheringPlace = (value: unknown): value is string =>
  isText(value) && /^search-at\.[a-z0-9-]{1,64}$/.test(value as string)

/** More shards than a machine has are not asked at once. */
const MAX_GATHERED = 512

const isMessage: Shape = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isAsks = isRecordOf({ asks: isListOf(isRecordOf({ to: isText, message: isMessage })) })
const isAnswers = isRecordOf({ answers: isListOf(isMaybe((value) => value === null || isMessage(value))) })

export interface GatheredAsk {
  readonly to: string
  readonly message: Message
}

export const readAsks = (message: Message): readonly GatheredAsk[] | undefined =>
  isAsks(message) ? (message['asks'] as readonly GatheredAsk[]).slice(0, MAX_GATHERED) : undefined

interface Waiting extends GatheredAsk {
  readonly timeoutMs: number
  /** Undefined: it is to be asked alone. */
  readonly resolve: (answer: Message | undefined) => void
  readonly reject: (error: unknown) => void
}

export class GatheredAsks implements Pick<Road, 'ask'> {
  readonly #road: Pick<Road, 'ask'>
  readonly #now: () => number
  readonly #placeOf = new Map<string, string>()
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(road: Pick<Road, 'ask'>, now: () => number = () => performance.now()) {
    this.#road = road
    this.#now = now
  }

  async ask(to: string, message: Message, timeoutMs: number): Promise<Message> {
    const place = this.#placeOf.get(to)
    const answer = place === undefined ? undefined : await this.#together(place, { to, message, timeoutMs })
    if (answer !== undefined) return answer
    const alone = await this.#road.ask(to, message, timeoutMs)
    if (isGatheringPlace(alone['at'])) this.#placeOf.set(to, alone['at'])
    return alone
  }

  #together(place: string, ask: Omit<Waiting, 'resolve' | 'reject'>): Promise<Message | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Message | undefined>()
    const waiting = this.#waiting.get(place)
    if (waiting !== undefined) waiting.push({ ...ask, resolve, reject })
    else {
      this.#waiting.set(place, [{ ...ask, resolve, reject }])
      // Whoever asks all of them does so before it waits for any.
      queueMicrotask(() => void this.#send(place))
    }
    return promise
  }

  async #send(place: string): Promise<void> {
    const waiting = this.#waiting.get(place) ?? []
    this.#waiting.delete(place)
    const timeoutMs = Math.max(...waiting.map((one) => one.timeoutMs))
    const askedAt = this.#now()
    let answers: readonly (Message | null | undefined)[] = []
    try {
      const asks = waiting.map(({ to, message }) => ({ to, message }))
      const answer = await this.#road.ask(place, { asks }, timeoutMs)
      if (isAnswers(answer)) answers = answer['answers'] as readonly (Message | null)[]
    } catch {
      for (const { to } of waiting) this.#placeOf.delete(to)
      // Nobody may be asked for as long again: an answer comes in time.
      if (this.#now() - askedAt >= timeoutMs / 2) {
        for (const { to, reject } of waiting) reject(new NoAnswer(`${to}: its machine does not answer`))
        return
      }
    }
    for (const [n, { resolve }] of waiting.entries()) resolve(answers[n] ?? undefined)
  }
}
