/** Three nats-servers as a cluster, each on a stand of its own, to be killed with -9 and begun again, with what they kept or with nothing. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { natsProgram } from '../../../packages/cluster/src/testing/nats-server.ts'
import { endWithUs } from './network.ts'
import type { Stand } from './network.ts'

const CLIENTS = 4222
const ROUTES = 6222
const MONITOR = 8222

export class NatsTrio implements AsyncDisposable {
  readonly #stands: readonly Stand[]
  readonly #dir: string
  readonly #children: (ChildProcess | undefined)[] = []

  constructor(stands: readonly Stand[], dir: string) {
    this.#stands = stands
    this.#dir = dir
    for (let n = 0; n < stands.length; n++) this.start(n)
  }

  get url(): string {
    return this.#stands.map(({ address }) => `nats://${address}:${CLIENTS}`).join(',')
  }
  get count(): number {
    return this.#stands.length
  }

  start(n: number): void {
    if (this.#children[n] !== undefined) return
    const { address, prefix } = this.#stands[n]!
    const routes = this.#stands.map((one) => `nats://${one.address}:${ROUTES}`).join(',')
    const place = ['-a', address, '-p', `${CLIENTS}`, '-m', `${MONITOR}`]
    const cluster = ['--cluster_name', 'torture', '--cluster', `nats://${address}:${ROUTES}`, '--routes', routes]
    const words = [
      ...prefix,
      natsProgram!,
      '-n',
      `n${n}`,
      ...place,
      ...cluster,
      '-js',
      '-sd',
      this.#store(n),
      '-l',
      `${this.#store(n)}.log`,
    ]
    const child = spawn(words[0]!, words.slice(1), { stdio: 'ignore' })
    this.#children[n] = child
    endWithUs(child)
    child.once('exit', () => {
      if (this.#children[n] === child) this.#children[n] = undefined
    })
  }

  /** kill -9. */
  async kill(n: number): Promise<void> {
    const child = this.#children[n]
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#stands.map(async (_, n) => await this.kill(n)))
  }

  /** SIGSTOP of all for so long: connections stay, and nobody answers. */
  async stopAll(ms: number): Promise<void> {
    const stopped = this.#children.filter((child) => child !== undefined)
    for (const child of stopped) child.kill('SIGSTOP')
    await sleep(ms)
    for (const child of stopped) child.kill('SIGCONT')
  }

  /** All that they kept. To be called when none runs. */
  wipe(): void {
    for (let n = 0; n < this.count; n++) rmSync(this.#store(n), { recursive: true, force: true })
  }

  /** Which of them leads the stream of that name; undefined when nobody says. */
  async leaderOf(stream: string): Promise<number | undefined> {
    for (const { address } of this.#stands) {
      const said = await fetch(`http://${address}:${MONITOR}/jsz?streams=true`, { signal: AbortSignal.timeout(1_000) })
        .then(async (answer) => await answer.text())
        .catch(() => '')
      const at = said.indexOf(`"name": "${stream}"`)
      const leader = at === -1 ? null : /"leader": "n(\d)"/.exec(said.slice(at))
      if (leader !== null) return Number(leader[1])
    }
    return undefined
  }

  #store(n: number): string {
    return join(this.#dir, `nats-${n}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killAll()
  }
}
