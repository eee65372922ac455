/**
 * Agent memory: what an agent remembers of pages from one run to the next, by URL, as JSON. What a run wants to remember
 * counts when the run is done; before that it is a draft, and of a run that fails nothing is kept.
 *
 *   ["https://example.org/","fingerprint"]      one line a page, in the order of URLs
 */

export interface MemoryDraft {
  readonly bytes: number
  get(url: string): string | undefined
  set(url: string, json: string): void
  forget(url: string): void
  /** The memory with all that was set. */
  kept(): AgentMemory
}

export class AgentMemory {
  readonly #values: ReadonlyMap<string, string>
  readonly bytes: number

  constructor(values: ReadonlyMap<string, string> = new Map()) {
    this.#values = values
    let bytes = 0
    for (const [url, json] of values) bytes += sizeOf(url, json)
    this.bytes = bytes
  }

  get size(): number {
    return this.#values.size
  }

  get(url: string): string | undefined {
    return this.#values.get(url)
  }

  urls(): Iterable<string> {
    return this.#values.keys()
  }

  draft(): MemoryDraft {
    const values = new Map(this.#values)
    let { bytes } = this
    const forget = (url: string): void => {
      const old = values.get(url)
      if (old === undefined) return
      bytes -= sizeOf(url, old)
      values.delete(url)
    }
    return {
      get bytes() {
        return bytes
      },
      // What was remembered before this run: within a run an agent has variables.
      get: (url) => this.#values.get(url),
      set: (url, json) => {
        forget(url)
        values.set(url, json)
        bytes += sizeOf(url, json)
      },
      forget,
      kept: () => new AgentMemory(values),
    }
  }

  write(): string {
    const urls = [...this.#values.keys()].toSorted()
    return urls.map((url) => `[${JSON.stringify(url)},${this.#values.get(url)!}]\n`).join('')
  }

  /** Undefined when the text is not what `write` gave. */
  static read(text: string): AgentMemory | undefined {
    const values = new Map<string, string>()
    for (const line of text.split('\n')) {
      if (line === '') continue
      const pair = parsedPair(line)
      if (pair === undefined) return undefined
      values.set(pair[0], JSON.stringify(pair[1]))
    }
    return new AgentMemory(values)
  }
}

const sizeOf = (url: string, json: string): number => Buffer.byteLength(url) + Buffer.byteLength(json)

function parsedPair(line: string): [url: string, value: unknown] | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' ? [value[0], value[1]] : undefined
  } catch {
    // Not what we wrote.
    return undefined
  }
}
