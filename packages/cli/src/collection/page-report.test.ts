import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageFact } from '@comity/ingest'
import { pageReport } from './page-report.ts'
import type { PageStory } from './page-story.ts'

const story: PageStory = {
  url: 'https://a.example/',
  page: 0,
  state: 'done',
  why: undefined,
  depth: 0,
  tries: 0,
  foundOn: [],
  seed: undefined,
  row: { site: 0, outcome: 'ok', status: 200, visitedAt: 1_000, visits: 1, changes: 0, bytes: 12, timings: {} },
  facts: [],
  nearDuplicateOf: undefined,
  sameBodyAs: undefined,
  captures: [],
  linksOut: [],
  linksOutCount: 0,
  linksIn: [],
  linksInCount: 0,
  robots: { verdict: 'no robots.txt', allowed: true, readAt: '1970-01-01T00:00:01.000Z' },
  freshness: undefined,
}

const cases: [fact: PageFact, shown: RegExp][] = [
  [{ name: 'A text', kind: 'text', value: 'a\u001b[2Jb' }, /^ +a text +a\P{C}+b$/u],
  [{ name: 'An outcome', kind: 'outcome', value: 'ok' }, /^ +an outcome +ok, \w/],
  [{ name: 'A language', kind: 'language', value: 'en' }, /^ +a language +en$/],
  [{ name: 'An address', kind: 'url', value: 'https://b.example/' }, /^ +an address +https:\/\/b\.example\/$/],
  [{ name: 'A moment', kind: 'moment', value: 1_000 }, /^ +a moment +1970-01-01T00:00:01\.000Z$/],
  [{ name: 'A size', kind: 'bytes', value: 2_048 }, /^ +a size +2(?:\.0)? k/i],
  [{ name: 'A time', kind: 'duration', value: 1_234 }, /^ +a time +1\.2 ?s$/],
  [{ name: 'A count', kind: 'count', value: 1_234 }, /^ +a count +1,234$/],
]
for (const [fact, shown] of cases)
  test(`a fact of the kind "${fact.kind}" is told as what it is`, () => {
    const lines = pageReport({ ...story, facts: [fact] }, 2_000)
    assert.ok(
      lines.some((line) => shown.test(line)),
      lines.join('\n'),
    )
  })
