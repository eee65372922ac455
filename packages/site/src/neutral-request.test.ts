import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeaderList } from '@comity/protocol'
import { isNeutral } from './neutral-request.ts'

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
  test(sentence, () => assert.equal(isNeutral(request, answer, 'a.example'), expected))
}

test('a site that never looks at the host learns whatever it was', () => {
  assert.equal(isNeutral([['Host', 'b.example']], [], undefined), true)
  assert.equal(isNeutral([['X-Rewrite-URL', '/x']], [], undefined), false)
})
