/**
 * Uses a collection that is damaged, one damage after another, as its owner would: searches it, looks into it, exports it and opens
 * its pages. A process of its own, as what is looked for may end it; it says what it is about to try, and what was wrong.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openServer } from '../../packages/cli/src/collection/collection-server.ts'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'
import { inflict } from './damages.ts'
import type { Damage } from './damages.ts'

export interface UseOrder {
  readonly dir: string
  readonly damages: readonly Damage[]
  /** Each page, with a word that no other has, and where its body stands. */
  readonly pages: readonly KnownPage[]
}

export interface KnownPage {
  readonly url: string
  readonly word: string
  readonly offset: number
  readonly length: number
}

/** `wrong`: what should not be, in words. */
export interface UseReport {
  readonly index: number
  readonly wrong: readonly string[]
}

class Use {
  readonly #dir: string
  readonly #pages: readonly KnownPage[]
  readonly #damage: Damage
  readonly wrong: string[] = []

  constructor({ dir, pages }: UseOrder, damage: Damage) {
    this.#dir = dir
    this.#pages = pages
    this.#damage = damage
  }

  async all(): Promise<void> {
    await this.#search()
    await this.#command('inspect', this.#dir, '--json')
    await this.#command('inspect', this.#dir, this.#pages[0]!.url)
    await this.#export()
    await this.#serve()
  }

  /** Every page has this word in its title. */
  async #search(): Promise<void> {
    const ended = await this.#command('search', this.#dir, 'about', '--json', '--limit', '100')
    if (ended.code !== 0) return
    const found = new Set((lastJson(ended)['results'] as { url: string }[]).map(({ url }) => url))
    // A part of the index that cannot be read is told of.
    const isTold = ended.stderr.trim() !== ''
    for (const { url } of this.#pages) if (!found.has(url) && !isTold) this.wrong.push(`search: ${url} is not found`)
  }

  async #export(): Promise<void> {
    const path = join(this.#dir, '..', 'export.jsonl')
    const ended = await this.#command('export', this.#dir, '--jsonl', path, '--text')
    if (ended.code !== 0) return
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n').filter(Boolean)
    const texts = new Map(
      lines.map((line) => JSON.parse(line) as { url: string; text?: string }).map((one) => [one.url, one.text]),
    )
    for (const page of this.#pages) {
      const told = texts.get(page.url)
      if (this.#isHit(page) || this.#isOf('state') || told?.includes(page.word) === true) continue
      this.wrong.push(`export --text: ${page.url} has lost its words`)
    }
  }

  async #command(...words: string[]): Promise<Ended> {
    const ended = await comityHere(words)
    if (ended.code !== 0 && ended.code !== 1) this.wrong.push(`${words.join(' ')}: code ${ended.code}: ${ended.stderr}`)
    if (ended.stderr.includes('should not have happened')) this.wrong.push(`${words.join(' ')}: ${ended.stderr}`)
    return ended
  }

  async #serve(): Promise<void> {
    const errors: unknown[] = []
    let server
    try {
      server = await openServer({
        dir: this.#dir,
        port: 0,
        host: '127.0.0.1',
        onError: (error) => void errors.push(error),
      })
    } catch (error) {
      const { name, code, message } = error as Error & { code?: string }
      if (!/^(?:Collection|Index|Repository)Error$/.test(name)) this.wrong.push(`serve: ${name} ${code}: ${message}`)
      return
    }
    try {
      const [first, ...others] = this.#pages
      for (const path of [
        '',
        'live',
        'sites',
        'freshness',
        'calls',
        'reading',
        'graph',
        'api/v1/statistics',
        'api/v1/sites',
        'health/ready',
        `search?q=${first!.word}`,
        `page?url=${first!.url}`,
      ])
        await this.#ask(server.url, path)
      await this.#ask(server.url, `site?origin=${new URL(first!.url).origin}`)
      for (const page of [first!, ...others.slice(-2)]) await this.#copy(server.url, page)
    } finally {
      await server[Symbol.asyncDispose]()
    }
    for (const error of errors) this.wrong.push(`serve: ${error instanceof Error ? error.stack : String(error)}`)
  }

  async #copy(base: string, page: KnownPage): Promise<void> {
    const answer = await this.#ask(base, `api/v1/page?url=${page.url}`)
    if (answer.status !== 200) {
      if (!this.#isOf('state')) this.wrong.push(`${page.url}: its story is ${answer.status}`)
      return
    }
    const { key } = (await answer.json()) as { key: number }
    const copy = await this.#ask(base, `page/view?key=${key}`)
    const text = await copy.text()
    if (!this.#isHit(page) && !this.#isOf('state') && !text.includes(page.word))
      this.wrong.push(`${page.url}: its copy is lost: ${copy.status}`)
  }

  async #ask(base: string, path: string): Promise<Response> {
    const answer = await fetch(`${base}${path}`)
    // Not ready is an answer.
    if (answer.status >= 500 && answer.status !== 503) this.wrong.push(`/${path}: ${answer.status}`)
    return answer
  }

  #isOf(folder: string): boolean {
    return this.#damage.file.startsWith(`${folder}/`) || this.#damage.file === 'collection.json'
  }

  #isHit({ offset, length }: KnownPage): boolean {
    const { bytes, offset: from } = this.#damage
    if (!this.#isOf('warc')) return false
    const to = bytes === '' ? Infinity : from + Buffer.from(bytes, 'base64').length
    return from < offset + length && to > offset
  }
}

process.once('message', (order: UseOrder) => void run(order))

async function run(order: UseOrder): Promise<void> {
  for (const [index, damage] of order.damages.entries()) {
    const mend = inflict(order.dir, damage)
    const use = new Use(order, damage)
    try {
      await use.all()
    } catch (error) {
      use.wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    mend()
    process.send!({ index, wrong: use.wrong } satisfies UseReport)
  }
  process.disconnect()
}
