import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PublicPages } from './public-pages.ts'
import { BASE, SampleSite } from '../testing/site-sample.ts'

function pagesOf(sample: SampleSite, robots: () => string = () => ''): PublicPages {
  const read = async (path: string): Promise<Uint8Array | undefined> => sample.bodies.get(path)
  return new PublicPages({ journal: sample.journal, base: BASE, now: () => sample.now, read, robots })
}

const urlsOf = (pages: PublicPages): string[] => [...pages.list()].map(({ url }) => url)

test('all that is public is there, and nothing else', async () => {
  const sample = new SampleSite()
  await sample.put({ '/a': 'A', '/private/b': 'secret' })
  await sample.put({ '/masked': 'differs each time' }, { masked: true })
  const rules = { robots: 'User-agent: *\nDisallow: /private/\n' }
  const pages = pagesOf(sample, () => rules.robots)
  assert.deepEqual(urlsOf(pages), [`${BASE}a`])
  const [a] = [...pages.list()]
  assert.equal(Buffer.from((await pages.read(a!))!).toString(), 'A')
  const secret = { url: `${BASE}private/b`, digest: sample.journal.page('/private/b')!.digest }
  assert.equal(await pages.read({ ...a!, ...secret }), undefined)
  rules.robots = 'User-agent: *\nDisallow: /\n'
  assert.deepEqual(urlsOf(pages), [])
  assert.equal(await pages.read(a!), undefined)
})

test('a page that changed since it was listed is not given out as the one that was', async () => {
  const sample = new SampleSite()
  await sample.put({ '/a': 'A' })
  const pages = pagesOf(sample)
  const [a] = [...pages.list()]
  await sample.put({ '/a': 'other' })
  assert.equal(await pages.read(a!), undefined)
})

test('the mark is another one when pages or rules are, and only then', async () => {
  const sample = new SampleSite()
  const rules = { robots: '' }
  const pages = pagesOf(sample, () => rules.robots)
  await sample.put({ '/a': 'A' })
  const first = pages.mark()
  await sample.put({ '/a': 'A' })
  assert.equal(pages.mark(), first)
  await sample.put({ '/a': 'B' })
  const second = pages.mark()
  assert.notEqual(second, first)
  rules.robots = 'User-agent: *\nDisallow: /x\n'
  assert.notEqual(pages.mark(), second)
})
