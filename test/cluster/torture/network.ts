/**
 * Network: where the servers and machines of a torture stand. On loopback, where anybody may try it; or each in a network namespace
 * of its own on a bridge, which takes root, with names that a name server of ours answers for, and with partitions: who is deaf to
 * whom is a rule for what comes in.
 */
import { createSocket } from 'node:dgram'
import { execFileSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'

/** Where a process runs, and how it is started there. */
export interface Stand {
  readonly address: string
  readonly prefix: readonly string[]
}

export interface Network extends AsyncDisposable {
  readonly isDivisible: boolean
  readonly nats: readonly Stand[]
  readonly machines: readonly Stand[]
  /** Of sites. */
  readonly addresses: readonly string[]
  readonly hosts: readonly string[]
  /** What comes from `speaker` does not arrive at `listener`. */
  deafen(listener: Stand, speaker: Stand): void
  heal(): void
}

const begun = new Set<ChildProcess>()
process.on('exit', () => begun.forEach((child) => child.kill('SIGKILL')))

/** A process that is not to outlive this one. */
export function endWithUs(child: ChildProcess): void {
  begun.add(child)
  child.once('exit', () => begun.delete(child))
}

interface Wanted {
  readonly machines: number
  readonly hosts: number
  readonly addresses: number
}

const NATS_SERVERS = 3
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1)
const nothing = (): void => undefined

const standHere = (address: string): Stand => ({ address, prefix: [] })

/** `part` keeps runs that go on beside each other apart. */
export function loopbackNetwork(wanted: Wanted, part: number): Network {
  const base = `127.${80 + (part % 150)}`
  const addresses = ['127.0.0.1', ...numbers(wanted.addresses - 1).map((n) => `${base}.1.${n}`)]
  const named = wanted.hosts - wanted.addresses + 1
  return {
    isDivisible: false,
    nats: numbers(NATS_SERVERS).map((n) => standHere(`${base}.2.${n}`)),
    machines: numbers(wanted.machines).map(() => standHere('127.0.0.1')),
    addresses,
    hosts: [...numbers(named).map((n) => `named${n}.localhost`), ...addresses.slice(1)],
    deafen: nothing,
    heal: nothing,
    [Symbol.asyncDispose]: async () => await Promise.resolve(),
  }
}

/** Undefined where we may not. A name in four has another address each second. */
export async function dividedNetwork(wanted: Wanted, part: number): Promise<Network | undefined> {
  const net = `10.${60 + (part % 150)}`
  const tag = `cmt${part % 1_000}`
  const bridge = `${tag}br`
  const made: string[] = []
  const clear = (): void => {
    for (const name of made) {
      run('ip', 'netns', 'del', name)
      rmSync(`/etc/netns/${name}`, { recursive: true, force: true })
    }
    run('ip', 'link', 'del', bridge)
  }
  if (process.getuid?.() !== 0 || !run('ip', 'link', 'add', bridge, 'type', 'bridge')) return undefined
  process.once('exit', clear)
  const addresses = numbers(wanted.addresses).map((n) => `${net}.1.${n}`)
  for (const address of [`${net}.0.1`, ...addresses]) run('ip', 'addr', 'add', `${address}/16`, 'dev', bridge)
  run('ip', 'link', 'set', bridge, 'up')
  const stand = (name: string, address: string): Stand => {
    const space = `${tag}${name}`
    mkdirSync(`/etc/netns/${space}`, { recursive: true })
    writeFileSync(`/etc/netns/${space}/resolv.conf`, `nameserver ${net}.0.1\n`)
    made.push(space)
    const inside = (...words: string[]): boolean => run('ip', 'netns', 'exec', space, 'ip', ...words)
    const isMade =
      run('ip', 'netns', 'add', space) &&
      run('ip', 'link', 'add', `${space}v`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space) &&
      run('ip', 'link', 'set', `${space}v`, 'master', bridge, 'up') &&
      inside('link', 'set', 'lo', 'up') &&
      inside('addr', 'add', `${address}/16`, 'dev', 'eth0') &&
      inside('link', 'set', 'eth0', 'up')
    if (!isMade) throw new Error(`the network namespace ${space} could not be made`)
    return { address, prefix: ['ip', 'netns', 'exec', space] }
  }
  const deaf: (readonly string[])[] = []
  try {
    const hosts = numbers(wanted.hosts).map((n) => `www.site${n}.test`)
    const names = await serveNames(`${net}.0.1`, (host) => {
      const n = hosts.indexOf(host)
      if (n === -1) return undefined
      const moved = n % 4 === 3 ? Math.floor(Date.now() / 1_000) : 0
      return addresses[(n + moved) % addresses.length]!
    })
    return {
      isDivisible: true,
      nats: numbers(NATS_SERVERS).map((n) => stand(`n${n}`, `${net}.2.${n}`)),
      machines: numbers(wanted.machines).map((n) => stand(`m${n}`, `${net}.3.${n}`)),
      addresses,
      hosts,
      deafen: (listener, speaker) => {
        const rule = [...listener.prefix.slice(1), 'ip', 'rule']
        deaf.push(rule)
        run('ip', ...rule, 'add', 'from', speaker.address, 'priority', '50', 'blackhole')
      },
      heal: () => {
        for (const rule of deaf.splice(0)) run('ip', ...rule, 'del', 'priority', '50')
      },
      [Symbol.asyncDispose]: async () => {
        await new Promise<void>((resolve) => void names.close(resolve))
        process.off('exit', clear)
        clear()
      },
    }
  } catch (error) {
    clear()
    throw error
  }
}

function run(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A name server that knows addresses of four bytes, good for a second. */
async function serveNames(
  address: string,
  addressOf: (host: string) => string | undefined,
): Promise<ReturnType<typeof createSocket>> {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const type = question.readUInt16BE(at + 1)
    const found = type === 1 ? addressOf(labels.join('.').toLowerCase()) : undefined
    const head = Buffer.from(question.subarray(0, at + 5))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(found === undefined ? 0 : 1, 6)
    head.fill(0, 8, 12)
    const answer = found === undefined ? [] : [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...found.split('.').map(Number)]
    socket.send(Buffer.concat([head, Buffer.from(answer)]), from.port, from.address)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(53, address, resolve)
  })
  return socket
}
