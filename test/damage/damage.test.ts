// Runs alone: what it reads may end a process.
/**
 * Damage: each file of a collection is damaged at many places, and used. Nothing crashes, no page answers 500, no command says that
 * this should not have happened; whatever is not damaged is found, and can be read.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Collection } from '@comity/collection'
import { amount } from '@comity/protocol/testing'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite } from '../sites/small-site.ts'
import { damagesOf } from './damages.ts'
import type { Damage } from './damages.ts'
import type { KnownPage, UseReport } from './use-damaged.ts'

const USER = fileURLToPath(new URL('use-damaged.ts', import.meta.url))
const WORDS = [
  'lantern',
  'harbour',
  'keeper',
  'anchor',
  'beacon',
  'tide',
  'rope',
  'mast',
  'gull',
  'salt',
  'pilot',
  'reef',
]
const dir = newDirectory()
let pages: KnownPage[] = []

const bodyOf = (word: string): string =>
  `<html lang=en><title>About the ${word}</title><h1>${word}</h1>` +
  Array.from(
    { length: 200 },
    (_, i) => `<p>Of the ${word}${word} the ${i}th keeper says ${(i * 7919) % 1009}.</p>`,
  ).join('') +
  WORDS.map((one) => `<a href="/${one}">${one}</a>`).join(' ')

before(async () => {
  const routes = Object.fromEntries(WORDS.map((word) => [`/${word}`, bodyOf(word)]))
  await using site = await createSmallSite({ '/': bodyOf('home'), ...routes })
  await quickCrawl(dir, [`${site.origin}/`], { index: true })
  await using collection = Collection.openReadOnly(dir)
  pages = WORDS.map((word) => knownPage(collection, `${site.origin}/${word}`, `${word}${word}`))
})

function knownPage(collection: Collection, url: string, word: string): KnownPage {
  for (const { key, value } of collection.pages())
    if (collection.url(key) === url) return { url, word, offset: value.body!.offset, length: value.body!.length }
  throw new Error(`${url} was not crawled`)
}

const LOCKS = /^writer-\d+\.lock$|-lock$|serve\.token$/
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const stat = statSync(join(folder, name))
    return stat.isFile() && stat.size > 0 && !LOCKS.test(name)
  })

test(
  'whatever is damaged in a collection, nothing crashes and what is not damaged is found',
  { timeout: amount(240_000, 36_000_000) },
  async () => {
    const each = Number(process.env['COMITY_DAMAGES'] ?? amount(1, 1_000))
    const files = filesIn(dir)
    assert.ok(files.length >= 4, files.join(' '))
    const wrong: string[] = []
    for (const [i, file] of files.entries()) {
      const copy = join(newDirectory(), 'col')
      cpSync(dir, copy, { recursive: true })
      const damages = damagesOf(copy, file, each, Number(process.env['COMITY_SEED'] ?? 1) + i)
      wrong.push(...(await wrongWith(copy, damages)))
    }
    assert.deepEqual(wrong, [])
  },
)

/** A process that ends by itself is started again behind the damage that ended it. */
async function wrongWith(copy: string, damages: readonly Damage[]): Promise<string[]> {
  const wrong: string[] = []
  for (let done = 0; done < damages.length;) {
    const whole = join(newDirectory(), 'col')
    cpSync(copy, whole, { recursive: true })
    const { last, found, end } = await used(whole, damages.slice(done))
    const from = done
    for (const report of found)
      for (const text of report.wrong) wrong.push(`${said(damages[from + report.index]!)}: ${text}`)
    done += last + 1
    if (done < damages.length) wrong.push(`${said(damages[done]!)}: the process ended by ${end}`)
    if (done < damages.length) done++
  }
  return wrong
}

const said = ({ file, offset, bytes }: Damage): string =>
  `${file} at ${offset}, ${Buffer.from(bytes, 'base64').length} bytes`

function used(copy: string, damages: readonly Damage[]): Promise<{ last: number; found: UseReport[]; end: string }> {
  const found: UseReport[] = []
  const child = fork(USER, { execArgv: [] })
  child.on('message', (report: UseReport) => void found.push(report))
  child.send({ dir: copy, damages, pages })
  return new Promise((resolve) => {
    child.on('exit', (code, signal) =>
      resolve({ last: found.at(-1)?.index ?? -1, found, end: signal ?? `code ${code}` }),
    )
  })
}
