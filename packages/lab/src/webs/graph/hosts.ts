/**
 * Host file: which site each page of a graph is on, for graphs that come without URLs. Either line i is the site of
 * page i, by name or number, or each line begins a run: the first page of a site, a tab, the site. Pages are numbered
 * as in the graph's own file.
 */
import { sitesOfNames } from './draft.ts'
import type { Sites, WebDraft } from './draft.ts'
import { ReadLog } from './limits.ts'
import type { GraphLimits } from './limits.ts'
import { LineScanner } from './graph-lines.ts'
import { unpackedChunks } from './source.ts'
import { webUnreadable } from '../../lab-error.ts'

const RUN = /^(\d{1,15})\t(.+)$/

export async function readHosts(path: string, draft: WebDraft, limits: GraphLimits): Promise<Sites> {
  const log = new ReadLog(path, limits)
  const table = new HostTable(log)
  const scanner = new LineScanner((text, line) => table.add(text.trimEnd(), line), log)
  for await (const chunk of unpackedChunks(path, limits.maxBytes)) scanner.write(chunk)
  scanner.end()
  log.requireMostlyGood(table.count)
  return sitesOfNames(draft.pages, (page) => {
    const number = draft.numberOf(page)
    const host = table.hostOf(number)
    if (host === undefined) throw webUnreadable(path, `Page ${number} has no site: ${table.reaches()}. Add its line.`)
    return host
  })
}

class HostTable {
  readonly #log: ReadLog
  /** The number of the first page of each run; of every page when lines are pages. */
  readonly #firsts: number[] = []
  readonly #hosts: string[] = []
  readonly #names = new Map<string, string>()
  #hasRuns: boolean | undefined

  constructor(log: ReadLog) {
    this.#log = log
  }

  get count(): number {
    return this.#hosts.length
  }

  add(text: string, line: number): void {
    const run = RUN.exec(text)
    this.#hasRuns ??= run !== null
    const first = this.#hasRuns ? Number(run?.[1] ?? NaN) : this.count
    const host = this.#hasRuns ? run?.[2] : text
    const isNext = first > (this.#firsts.at(-1) ?? -1)
    if (host === undefined || host === '' || !isNext) return this.#malformed(line)
    this.#log.requireRoom('pages', this.count + 1)
    // One string for all pages of a site, or a list of a million lines keeps a million of them.
    const name = this.#names.get(host) ?? host
    this.#names.set(name, name)
    this.#firsts.push(first)
    this.#hosts.push(name)
  }

  #malformed(line: number): void {
    if (this.#hasRuns) return this.#log.malformedLine(line, 'a page after the one before, a tab, and its site')
    // To leave a line out would give all pages behind it the wrong site.
    throw webUnreadable(`${this.#log.path}, line ${line}`, 'It is empty. Every line must be the site of one page.')
  }

  hostOf(number: number): string | undefined {
    if (!this.#hasRuns) return this.#hosts[number]
    let [low, high] = [0, this.#firsts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#firsts[middle]! <= number) low = middle + 1
      else high = middle
    }
    return this.#hosts[low - 1]
  }

  reaches(): string {
    return this.#hasRuns ? `the first run begins at page ${this.#firsts[0]}` : `there are ${this.count} lines`
  }
}
