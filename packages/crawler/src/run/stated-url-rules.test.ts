import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultUrlRules } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { CrawlError } from '../errors.ts'
import { statedUrlRules } from './stated-url-rules.ts'

type Call = Parameters<typeof statedUrlRules>[0]
const withSites = (...sites: UrlRules['sites']): UrlRules => ({ ...defaultUrlRules, sites })

const cases: [sentence: string, call: Call, stated: UrlRules | undefined][] = [
  ['nothing', {}, undefined],
  ['sites of which only other things are said', { sites: [{ host: 'a.example', delayMs: 1 }] }, undefined],
  [
    'rules for all sites',
    { urlRules: { ...defaultUrlRules, dropSessionIds: false } },
    { ...defaultUrlRules, dropSessionIds: false },
  ],
  [
    'what is said of the URLs of a site, and no secret of it',
    { sites: [{ origin: 'https://a.example', cookie: 'x=TOPSECRET', delayMs: 1, dropParameters: ['sid'] }] },
    withSites({ origin: 'https://a.example', dropParameters: ['sid'] }),
  ],
  [
    'an entry that says something of URLs, behind one that matches and says nothing of them',
    {
      sites: [
        { origin: 'https://a.example', basicAuth: 'a:b' },
        { host: '*.example', dropSessionIds: false },
      ],
    },
    withSites({ host: '*.example', dropSessionIds: false }),
  ],
  [
    'sites before those of the rules',
    {
      urlRules: withSites({ host: 'b.example', dropParameters: ['b'] }),
      sites: [{ host: 'a.example', keepParameters: ['utm_source'] }],
    },
    withSites({ host: 'a.example', keepParameters: ['utm_source'] }, { host: 'b.example', dropParameters: ['b'] }),
  ],
]
for (const [sentence, call, stated] of cases) {
  test(`a run states ${sentence}`, () => assert.deepEqual(statedUrlRules(call), stated))
}

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `p${i}`)
const refused: [sentence: string, call: Call][] = [
  ['a name that no parameter has', { sites: [{ host: 'a.example', dropParameters: ['a=b'] }] }],
  ['an empty name', { urlRules: { ...defaultUrlRules, dropParameters: [''] } }],
  ['more names than are kept', { sites: [{ host: 'a.example', keepParameters: names(1_001) }] }],
  ['more sites than are kept', { sites: names(10_001).map((host) => ({ host, dropSessionIds: false })) }],
  ['half a character', { urlRules: { ...defaultUrlRules, maxLength: 0.5 } }],
]
for (const [sentence, call] of refused) {
  test(`no collection could keep ${sentence}, which is told by name`, () => {
    assert.throws(
      () => statedUrlRules(call),
      (error) =>
        error instanceof CrawlError && error.code === 'OPTION_INVALID' && /at most 1000 in a list/.test(error.message),
    )
  })
}
