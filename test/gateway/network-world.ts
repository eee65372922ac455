/**
 * NetworkWorld: a small internetwork of its own, made of Linux network namespaces, for tests.
 *
 *   stub 1 (10.77.1.2) ──┐
 *   stub 2 (10.77.2.2) ──┼── router (10.77.N.1), which forwards and where each line can be listened to and cut
 *   stub 3 (10.77.3.2) ──┘
 *
 * All of it hangs on one process with namespaces of its own; when that ends, nothing is left behind, and the machine's own
 * network was never touched. It needs root (or a system that lets others), `unshare`, `nsenter` (util-linux) and `ip` (iproute2).
 */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { createInterface } from 'node:readline'

export const ROUTER = 'router'

export class NetworkWorld implements AsyncDisposable {
  readonly #holder: ChildProcess
  readonly #stubs: readonly string[]
  readonly #running = new Set<ChildProcess>()

  private constructor(holder: ChildProcess, stubs: readonly string[]) {
    this.#holder = holder
    this.#stubs = stubs
  }

  /** Tools that are not installed here, or undefined. */
  static missingTools(): string | undefined {
    const tools = { unshare: 'util-linux', nsenter: 'util-linux', ip: 'iproute2', tcpdump: 'tcpdump' }
    const lacking = Object.entries(tools).filter(([tool]) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)
    return lacking.length === 0 ? undefined : `apt-get install ${lacking.map(([, name]) => name).join(' ')}`
  }

  /** Whether the system lets us: containers often may not, and users without rights never. */
  static isAllowed(): boolean {
    const { status } = spawnSync('unshare', [
      '-nm',
      'sh',
      '-c',
      'mount -t tmpfs none /run && echo 1 > /proc/sys/net/ipv4/ip_forward',
    ])
    return status === 0
  }

  static async create(stubs: readonly string[]): Promise<NetworkWorld> {
    const lines = stubs.map((stub, i) => lineTo(stub, `10.77.${i + 1}`))
    const script = `set -e
      mount -t tmpfs none /run; mkdir /run/netns; ip link set lo up
      ${lines.join('\n')}
      echo 1 > /proc/sys/net/ipv4/ip_forward
      echo ready; exec sleep 100000`
    const holder = spawn('unshare', ['-nm', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(createInterface(holder.stdout), 'line')
    if (line !== 'ready') throw new Error(`no network: ${String(line)}`)
    return new NetworkWorld(holder, stubs)
  }

  addressOf(stub: string): string {
    return `10.77.${this.#stubs.indexOf(stub) + 1}.2`
  }

  /** The router's interface at the line to a stub. */
  interfaceTo(stub: string): string {
    return `to-${stub}`
  }

  spawn(place: string, command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const child = spawn('nsenter', [...this.#entering(place), command, ...args], options)
    this.#running.add(child)
    child.once('close', () => this.#running.delete(child))
    return child
  }

  cut(stub: string): void {
    this.#ip('link', 'set', this.interfaceTo(stub), 'down')
  }

  mend(stub: string): void {
    this.#ip('link', 'set', this.interfaceTo(stub), 'up')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What a killed process has started at the router goes on without it.
    for (const pid of this.#atRouter()) process.kill(pid, 'SIGKILL')
    for (const child of [...this.#running, this.#holder]) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    }
  }

  #atRouter(): number[] {
    const own = readlinkSync(`/proc/${this.#holder.pid}/ns/mnt`)
    return readdirSync('/proc').flatMap((name) => {
      const pid = Number(name)
      try {
        const isThere = pid > 0 && pid !== this.#holder.pid && readlinkSync(`/proc/${pid}/ns/mnt`) === own
        return isThere ? [pid] : []
      } catch {
        // It has just ended.
        return []
      }
    })
  }

  #entering(place: string): string[] {
    const enter = ['-t', String(this.#holder.pid), '-n', '-m']
    return place === ROUTER ? enter : [...enter, 'ip', 'netns', 'exec', place]
  }

  #ip(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('nsenter', [...this.#entering(ROUTER), 'ip', ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
  }
}

function lineTo(stub: string, network: string): string {
  return `ip netns add ${stub}
    ip link add to-${stub} type veth peer name eth0 netns ${stub}
    ip addr add ${network}.1/24 dev to-${stub}; ip link set to-${stub} up
    ip -n ${stub} addr add ${network}.2/24 dev eth0; ip -n ${stub} link set eth0 up; ip -n ${stub} link set lo up
    ip -n ${stub} route add default via ${network}.1`
}
