import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { encodeWithDictionary } from '@comity/protocol'
import { sampleHtml } from '../testing/adapter-sample.ts'
import { AT } from '../testing/journal-sample.ts'
import { MemoryFiles } from '../testing/memory-files.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { SiteDictionary } from './site-dictionary.ts'
import { digestOf } from '../journal/version-store.ts'

const HOUR = 3_600_000

async function journalOf(pages: Readonly<Record<string, string>>): Promise<MemoryJournal> {
  const journal = new MemoryJournal()
  await journal.record(
    Object.entries(pages).map(([path, text]) => {
      const body = Buffer.from(text)
      return { path, body, digest: digestOf(body), bytes: body.length, type: 'text/html', modifiedAt: AT }
    }),
    AT,
  )
  return journal
}

const samplePages = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`/p${i}`, sampleHtml(`Page ${i}`)]))

test('a page never seen before is packed better with what others have in common', async () => {
  const dictionary = new SiteDictionary(await journalOf(samplePages(20)), () => true).current(AT)
  assert.ok(dictionary !== undefined)
  const page = Buffer.from(sampleHtml('A new one'))
  const [alone, together] = [
    brotliCompressSync(page).length,
    encodeWithDictionary('dcb', page, dictionary.body)!.length,
  ]
  assert.ok(together < alone * 0.7, `${together} of ${alone}`)
})

test('text that stands in one page only is in no dictionary', async () => {
  const pages = { ...samplePages(8), '/secret': sampleHtml('The one and only secret') }
  const dictionary = new SiteDictionary(await journalOf(pages), () => true).current(AT)
  assert.ok(dictionary !== undefined && !Buffer.from(dictionary.body).includes('secret'))
})

test('pages that may not be public give nothing to it', async () => {
  const staff = '<p>This sentence stands in all pages of the staff and in no other.</p>\n'
  const pages = {
    ...samplePages(8),
    ...Object.fromEntries([1, 2, 3].map((i) => [`/staff/${i}`, staff + sampleHtml(`s${i}`)])),
  }
  const dictionary = new SiteDictionary(await journalOf(pages), (path) => !path.startsWith('/staff')).current(AT)
  assert.ok(dictionary !== undefined && !Buffer.from(dictionary.body).includes('staff'))
})

test('few pages, and pages with nothing in common, have none', async () => {
  assert.equal(new SiteDictionary(await journalOf(samplePages(3)), () => true).current(AT), undefined)
  const alien = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`/p${i}`, `${i} `.repeat(500)]))
  assert.equal(new SiteDictionary(await journalOf(alien), () => true).current(AT), undefined)
})

test('when a page it was made of goes, it is announced no more; who has it is still served', async () => {
  const journal = await journalOf(samplePages(10))
  const dictionary = new SiteDictionary(journal, () => true)
  const first = dictionary.current(AT)!
  await journal.record([{ path: '/p3', gone: true }], AT + 1_000)
  assert.equal(dictionary.current(AT + 2_000), undefined, 'too soon to make another')
  const second = dictionary.current(AT + HOUR)
  assert.ok(second !== undefined)
  assert.ok(dictionary.find(first.digest) !== undefined)
  await journal.record(
    Object.keys(samplePages(10)).map((path) => ({ path, gone: true as const })),
    AT + HOUR,
  )
  assert.equal(dictionary.current(AT + 2 * HOUR), undefined)
  assert.ok(dictionary.find(second.digest) !== undefined)
})

test('it stays the same while pages change, until it is due', async () => {
  const journal = await journalOf(samplePages(10))
  const dictionary = new SiteDictionary(journal, () => true, { renewMs: 10 * HOUR })
  const first = dictionary.current(AT)!
  const body = Buffer.from('<p>quite another page')
  await journal.record(
    [{ path: '/p1', body, digest: digestOf(body), bytes: body.length, type: 'text/html', modifiedAt: AT }],
    AT,
  )
  assert.equal(dictionary.current(AT + HOUR)?.digest, first.digest)
  assert.ok(dictionary.current(AT + 11 * HOUR) !== undefined)
})

test('after a restart who has the old one is still served', async () => {
  const kept = new MemoryFiles()
  const first = new SiteDictionary(await journalOf(samplePages(10)), () => true, { kept }).current(AT)!
  const again = new SiteDictionary(await journalOf(samplePages(2)), () => true, { kept })
  assert.deepEqual(again.find(first.digest), first.body)
  assert.equal(again.current(AT), undefined)
})
