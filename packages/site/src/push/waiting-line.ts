/**
 * Waiting line: work for many hosts, one piece at a time for each and so many at a time in all, in the order it came. A
 * host with a long line, or one that answers slowly, keeps nobody else waiting.
 */
interface WaitingLineOptions<Work> {
  /** What waits or is under way. */
  readonly most: number
  readonly mostPerHost: number
  /** Under way at one time. */
  readonly atOnce: number
  /** Never rejects. */
  readonly handle: (work: Work) => Promise<void>
}

export class WaitingLine<Work> {
  readonly #options: WaitingLineOptions<Work>
  /** By host, in the order hosts are due; the first of a host that is busy is under way. */
  readonly #hosts = new Map<string, Work[]>()
  readonly #busy = new Set<string>()
  #size = 0
  #idle: PromiseWithResolvers<void> | undefined

  constructor(options: WaitingLineOptions<Work>) {
    this.#options = options
  }

  get size(): number {
    return this.#size
  }

  add(host: string, work: Work): 'added' | 'full' | 'host-full' {
    const { most, mostPerHost } = this.#options
    const line = this.#hosts.get(host) ?? []
    if (line.length >= mostPerHost) return 'host-full'
    if (this.#size >= most) return 'full'
    line.push(work)
    this.#hosts.set(host, line)
    this.#size++
    // Whoever asked is answered before anybody is called.
    setImmediate(() => this.#pump())
    return 'added'
  }

  /** Resolves when nothing waits and nothing is under way. */
  async settled(): Promise<void> {
    if (this.#size === 0) return
    this.#idle ??= Promise.withResolvers()
    await this.#idle.promise
  }

  /** Forgets what waits; what is under way ends by itself. */
  clear(): void {
    for (const [host, line] of this.#hosts) {
      const left = this.#busy.has(host) ? 1 : 0
      this.#size -= line.length - left
      line.length = left
      if (left === 0) this.#hosts.delete(host)
    }
    this.#rest()
  }

  #pump(): void {
    for (const [host, line] of this.#hosts) {
      if (this.#busy.size >= this.#options.atOnce) return
      const [work] = line
      if (work === undefined || this.#busy.has(host)) continue
      this.#busy.add(host)
      void this.#options.handle(work).finally(() => this.#done(host))
    }
  }

  #done(host: string): void {
    this.#busy.delete(host)
    const line = this.#hosts.get(host) ?? []
    line.shift()
    this.#size--
    // To the end of all hosts: each has its turn.
    this.#hosts.delete(host)
    if (line.length > 0) this.#hosts.set(host, line)
    this.#rest()
    this.#pump()
  }

  #rest(): void {
    if (this.#size > 0) return
    this.#idle?.resolve()
    this.#idle = undefined
  }
}
