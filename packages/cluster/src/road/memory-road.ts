/** MemoryRoad: machines in one process. It says what a road has to do; with `Mishaps` it loses, doubles and delays as a real one may. */
import { NoAnswer } from './road.ts'
import type { Answer, Entry, Message, Register, Road } from './road.ts'

/** What befalls messages. Times are of whoever runs the timers. */
export interface Mishaps {
  /** Milliseconds until a message is there; undefined: never. Asked once for each copy. */
  delays(from: string, place: string): readonly number[]
  after(ms: number, act: () => void): void
  /** What befalls a write to the register: done and told, done and not told, or not done. */
  write?(from: string): 'told' | 'untold' | 'lost'
  /** Nobody answers it at all. */
  isCutOff?(from: string): boolean
  /** A read may be of an earlier state: so many changes ago. */
  staleness?(from: string): number
}

const NONE: Mishaps = {
  delays: () => [0],
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    // Whoever waits for an answer that has come keeps nobody.
    if (ms > 0) timer.unref()
  },
}

/** What machines that reach each other share. */
export class MemoryRoadNet {
  readonly mishaps: Mishaps
  readonly #answers = new Map<string, Set<{ readonly machine: string; readonly answer: Answer }>>()
  #history = new Map<string, (Entry | undefined)[]>()
  #revision = 0

  constructor(mishaps: Mishaps = NONE) {
    this.mishaps = mishaps
  }

  road(machine: string): Road {
    const gone: (() => void)[] = []
    return {
      ask: (to, message, timeoutMs) => this.#ask(machine, to, message, timeoutMs),
      answerAt: (place, answer) => {
        const end = this.#enter(machine, place, answer)
        gone.push(end)
        return end
      },
      register: this.#register(machine),
      [Symbol.asyncDispose]: async () => {
        await Promise.resolve()
        for (const end of gone) end()
      },
    }
  }

  /** All that the register held is gone, and it counts anew. */
  wipe(): void {
    this.#history = new Map()
    this.#revision = 0
  }

  #enter(machine: string, place: string, answer: Answer): () => void {
    const here = this.#answers.get(place) ?? new Set()
    const one = { machine, answer }
    this.#answers.set(place, here.add(one))
    return () => void here.delete(one)
  }

  #ask(from: string, to: string, message: Message, timeoutMs: number): Promise<Message> {
    const { mishaps } = this
    const text = JSON.stringify(message)
    return new Promise((resolve, reject) => {
      mishaps.after(timeoutMs, () => reject(new NoAnswer(`${to} did not answer in ${timeoutMs} ms`)))
      for (const { machine, answer } of this.#answers.get(to) ?? []) {
        for (const there of mishaps.delays(from, machine)) {
          mishaps.after(there, () => void this.#answered(from, machine, answer, text, resolve))
        }
      }
    })
  }

  async #answered(
    from: string,
    machine: string,
    answer: Answer,
    text: string,
    hear: (said: Message) => void,
  ): Promise<void> {
    const said = await answer(JSON.parse(text) as Message)
    if (said === undefined) return
    const back = JSON.stringify(said)
    for (const ms of this.mishaps.delays(machine, from)) this.mishaps.after(ms, () => hear(JSON.parse(back) as Message))
  }

  #register(machine: string): Register {
    const newest = (key: string): Entry | undefined => this.#history.get(key)?.at(-1)
    const write = (
      key: string,
      value: Message,
      fits: (held: Entry | undefined) => boolean,
    ): Promise<number | undefined> => {
      const fate = this.mishaps.write?.(machine) ?? 'told'
      if (fate === 'lost') return Promise.reject(new NoAnswer('the register did not answer'))
      if (!fits(newest(key)))
        return fate === 'told' ? Promise.resolve(undefined) : Promise.reject(new NoAnswer('untold'))
      const entry = { value: JSON.parse(JSON.stringify(value)) as Message, revision: ++this.#revision }
      const held = this.#history.get(key) ?? []
      this.#history.set(key, [...held.slice(-8), entry])
      return fate === 'told' ? Promise.resolve(entry.revision) : Promise.reject(new NoAnswer('untold'))
    }
    return {
      read: (key) => {
        if (this.mishaps.isCutOff?.(machine) === true)
          return Promise.reject(new NoAnswer('the register did not answer'))
        const held = this.#history.get(key)
        const back = this.mishaps.staleness?.(machine) ?? 0
        return Promise.resolve(held?.[Math.max(0, held.length - 1 - back)])
      },
      create: (key, value) => write(key, value, (held) => held === undefined),
      replace: (key, value, revision) => write(key, value, (held) => held?.revision === revision),
    }
  }
}
