/** One crawler beside others: its command in an empty folder, what it took, and what it holds in the end. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childTime, median, since } from '../measure.ts'
import type { Side } from '../equal-work.ts'
import type { Took } from '../measure.ts'

/** What a crawl holds in the end. */
export interface Holdings {
  /** By name, and half of the SHA-256 of its bytes where the crawler tells. */
  readonly htmlPages: ReadonlyMap<string, string | undefined>
  /** Pictures, styles and scripts, where the crawler fetches them. */
  readonly otherFiles: number
}

export interface Run extends Holdings, Took {
  readonly peakMb: number
}

export interface Contender {
  readonly name: string
  readonly version: () => Promise<string>
  /** What is missing to run it; undefined when nothing is. */
  readonly missing: () => string | undefined
  readonly rounds: number
  readonly command: (dir: string) => readonly [program: string, args: readonly string[]]
  readonly holdings: (dir: string, stdout: string) => Holdings
}

export const peersFolder: string = join(import.meta.dirname, '../peers')
export const ownProgram: string = join(import.meta.dirname, '../../packages/cli/bin/comity.js')

export const onPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)))

/** What a peer needs, and how its version is told. */
export const crawlee: Pick<Contender, 'version' | 'missing'> = {
  version: async () =>
    JSON.parse(readFileSync(join(peersFolder, 'node_modules/@crawlee/cheerio/package.json'), 'utf8')).version as string,
  missing: () => (existsSync(join(peersFolder, 'node_modules')) ? undefined : 'npm install --prefix bench/peers'),
}
export const scrapy: Pick<Contender, 'version' | 'missing'> = {
  version: async () => (await output('scrapy', ['version'])).match(/\d+\.[\d.]+/)?.[0] ?? '?',
  missing: () => (onPath('scrapy') ? undefined : 'apt-get install python3-scrapy'),
}
/** Not `python3`: Debian's scrapy belongs to Debian's python. */
export const python = '/usr/bin/python3'

/** It is ended after so many seconds, and has done what it has done. */
export async function runContender(
  { name, command, holdings }: Contender,
  maxSeconds: number = Infinity,
): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), 'comity-bench-'))
  try {
    const [program, args] = command(dir)
    const before = childTime()
    const child = spawn(program, args, { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'] })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    let peakMb = 0
    const sampler = setInterval(() => (peakMb = peakOf(child.pid ?? 0) ?? peakMb), 20)
    const limit = setTimeout(() => child.kill('SIGKILL'), Math.min(maxSeconds * 1e3, 2 ** 31 - 1))
    const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
    clearInterval(sampler)
    clearTimeout(limit)
    // wget2 ends with 8 where a link leads nowhere, and has done its work.
    if (code !== 0)
      console.error(`${name} ended with ${code === null ? `a signal, perhaps after ${maxSeconds} s` : `code ${code}`}`)
    return { ...since(before, childTime()), peakMb, ...holdings(dir, stdout) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Peak resident memory of a running process, from /proc; undefined once it is gone. */
function peakOf(pid: number): number | undefined {
  try {
    const kB = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kB === undefined ? undefined : (Number(kB) * 1024) / 1e6
  } catch {
    return undefined
  }
}

/** As a side of a ratio; `hasBytes`: pages are compared by their bytes, too. */
export async function sideOf({ name, version }: Contender, list: readonly Run[], hasBytes: boolean): Promise<Side> {
  return {
    name: `${name}@${await version()}`,
    value: median(list.map(({ htmlPages, seconds }) => htmlPages.size / seconds)),
    cpuSeconds: median(list.map(({ cpuSeconds }) => cpuSeconds)),
    work: list.map(({ htmlPages }) => ({
      'HTML pages': Array.from(htmlPages, ([path, digest]) => (hasBytes ? `${path} ${digest}` : path)),
    })),
  }
}

export function tellsBytes(list: readonly Run[]): boolean {
  return list.every(({ htmlPages }) => htmlPages.values().every((digest) => digest !== undefined))
}

export function toldOf({ htmlPages, ...run }: Run): object {
  return { ...run, htmlPages: htmlPages.size }
}

export function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    child.on('close', () => resolve(text)).on('error', () => resolve(''))
  })
}
