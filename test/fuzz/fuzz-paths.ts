/** Fuzz target for paths: whatever a request line holds, one canonical form, and one decision for every spelling of it. */
import assert from 'node:assert/strict'
import { canonicalPath, pathRule, pathSpellings, urlSpellings, withCanonicalPath } from '@comity/protocol'
import { publicRules, pathVerdict, pathGlob } from '@comity/site'
import type { FuzzTarget } from './fuzz-target.ts'

const rule = pathRule('/drafts/*', pathGlob)
const rules = publicRules({ robots: 'User-agent: *\nDisallow: /secret/\n', reject: ['/drafts/*'], include: ['/*'] })

function checkPath(bytes: Buffer): void {
  const target = `/${bytes.toString('latin1').replace(/^\/+/, '')}`
  const canonical = canonicalPath(target)
  const spellings = pathSpellings(target)
  assert.equal(spellings.length === 0, canonical === undefined)
  if (canonical === undefined) return assert.ok(rule.refuses(target) && !rule.allows(target))
  assert.equal(canonicalPath(canonical), canonical, 'a canonical path is its own canonical form')
  assert.ok(!rule.refuses(canonical) || rule.refuses(target), 'what is refused plainly is refused')
  assert.equal(rule.allows(target), rule.allows(canonical), 'what allows goes by the canonical form')
  assert.ok(!pathVerdict(target, rules, true).public || pathVerdict(canonical, rules, true).public)
  const url = `http://a.example${target}`
  assert.ok(urlSpellings(url).includes(withCanonicalPath(url)))
}

export const pathsTarget: FuzzTarget = {
  name: 'paths',
  samples: ['/drafts/a', '/draft%73/%61', '//x/../drafts//a?b=%2F', '/drafts%2fa;v=1/..%5c', '/%C3%BC/u%CC%88*'],
  words: [
    '%2e',
    '%2F',
    '..',
    '//',
    '%00',
    '%25',
    ';',
    '\\',
    '%5c',
    '?',
    '%',
    'constructor',
    '__proto__',
    '%c0%ae',
    '*',
  ],
  check: checkPath,
}
