import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SiteError } from './errors.ts'
import { createSite } from './site.ts'
import { BASE, SampleSite } from './testing/site-sample.ts'

const wrong: [sentence: string, options: object, pattern: RegExp][] = [
  ['an unknown option', { sitmap: true }, /sitmap/],
  ['an unknown scheme', { schemes: ['sitemaps'] }, /sitemaps/],
  ['an unknown limit', { limits: { listPage: 1 } }, /listPage/],
  ['a limit of nothing', { limits: { listPages: 0 } }, /listPages/],
  ['a base that is no site', { base: 'ftp://a.example/' }, /ftp/],
]
for (const [sentence, options, pattern] of wrong) {
  test(`${sentence} is refused by name`, () => {
    const { journal } = new SampleSite()
    const make = (): unknown =>
      createSite({ journal, base: BASE, now: () => 0, read: async () => undefined, ...options })
    assert.throws(make, (error: unknown) => error instanceof SiteError && pattern.test(error.message))
  })
}
