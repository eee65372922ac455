import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeaderList } from '@comity/protocol'
import { isNeutral } from './neutral-request.ts'

const OWN = { host: 'a.example', isHostFixed: false }

const cases: [sentence: string, request: HeaderList, answer: HeaderList, expected: boolean][] = [
  ["the site's own host is neutral", [['Host', 'A.example']], [], true],
  ['no host says nothing', [], [], true],
  ['another host may come back in every link', [['Host', 'b.example']], [], false],
  ['a port makes another host', [['Host', 'a.example:81']], [], false],
  ['so does a proxy that claims one', [['X-Forwarded-Host', 'b.example']], [], false],
  ['or claims it in the standard way', [['Forwarded', 'for=1.2.3.4;host="b.example"']], [], false],
  ['or among others', [['Forwarded', 'host=a.example, host=b.example']], [], false],
  ['a proxy that says nothing of hosts is neutral', [['Forwarded', 'for=1.2.3.4']], [], true],
  ['an address that replaces the address is not', [['X-Rewrite-URL', '/x']], [], false],
  [
    'a language that the answer depends on is not',
    [['Accept-Language', 'de']],
    [['Vary', 'Accept-Encoding, Accept-Language']],
    false,
  ],
  ['one that it does not depend on is', [['Accept-Language', 'de']], [['Vary', 'Accept-Encoding']], true],
  ['nor is one that was not sent', [], [['Vary', 'Accept-Language']], true],
]
for (const [sentence, request, answer, expected] of cases) {
  test(sentence, () => assert.equal(isNeutral(request, answer, OWN), expected))
}

test('a site that is never told of the host learns whatever it was, and is steered all the same', () => {
  const own = { ...OWN, isHostFixed: true }
  for (const name of ['Host', 'X-Forwarded-Host']) assert.equal(isNeutral([[name, 'b.example']], [], own), true, name)
  for (const name of ['X-Rewrite-URL', 'X-Host', 'Content-Length'])
    assert.equal(isNeutral([[name, '9']], [], own), false, name)
})
