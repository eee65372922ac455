import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { headerOf, type HeaderList } from '../capture.ts'
import { signMessage } from './http-signature.ts'
import type { SignatureVerdict } from './http-signature.ts'
import { KEY_DIRECTORY_PATH } from './key-set.ts'
import type { SignedMessage } from './signature-component.ts'
import { exampleKey, testKey } from '../testing/signature-fixture.ts'
import { ACCEPT_BOT_SIGNATURE, botClaims, signBotRequest, verifyBot, WEB_BOT_AUTH_TAG } from './web-bot-auth.ts'
import type { BotClaim } from './web-bot-auth.ts'

const AT = Date.UTC(2026, 0, 1)
const agent = 'https://crawler.example/keys.json?v=1'
const page: SignedMessage = { method: 'GET', url: 'https://a.example/page?x=1', headers: [['User-Agent', 'bot/1']] }
const options = { key: testKey(1), agent, at: AT, lifeMs: 60_000, nonce: 'n1' }
const signed = (message = page, given: Partial<typeof options> & { body?: Uint8Array } = {}): SignedMessage => ({
  ...message,
  headers: [...message.headers, ...signBotRequest(message, { ...options, ...given })],
})

function claimsOf(headers: HeaderList, mayBeHttp?: boolean): readonly BotClaim[] | string {
  const claims = botClaims(headers, mayBeHttp)
  return claims.kind === 'claimed' ? claims.claims : claims.kind
}

function verdictOf(
  message: SignedMessage,
  given: { at?: number; body?: Uint8Array; key?: KeyObject } = {},
): SignatureVerdict {
  const claims = botClaims(message.headers)
  if (claims.kind !== 'claimed') return { kind: 'absent' }
  const { at = AT, body, key = testKey(1).publicKey } = given
  return verifyBot(message, claims.claims[0]!, { keyOf: () => key, at, skewMs: 1_000, body })
}

test('a request says who sent it, and it is true', () => {
  const request = signed()
  const place = { url: agent, agent: 'https://crawler.example/keys.json' }
  assert.deepEqual(claimsOf(request.headers), [{ label: 'sig1', keyId: testKey(1).keyId, ...place }])
  const verdict = verdictOf(request)
  assert.equal(verdict.kind, 'valid')
  assert.equal(verdict.nonce, 'n1')
  assert.match(headerOf(request.headers, 'signature-agent')!, /^sig1="https:/)
})

test('a body is covered by its digest', () => {
  const body = Buffer.from('question')
  const request = signed({ ...page, method: 'POST' }, { body })
  assert.equal(verdictOf(request, { body }).kind, 'valid')
  assert.equal(verdictOf(request, { body: Buffer.from('another') }).kind, 'refused')
})

const nonces = {
  dictionary: 'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==',
  string: 'e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==',
}
const vectors: [sentence: string, agentField: string, input: string, signature: string, kind: string][] = [
  [
    'the dictionary form (§E.2.1), which is good for a century and therefore not for us',
    'agent2="https://signature-agent.test"',
    `sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${exampleKey.keyId}";alg="ed25519";expires=4889289600;nonce="${nonces.dictionary}";tag="web-bot-auth"`,
    'RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==',
    'stale',
  ],
  [
    'the bare string of earlier drafts (§E.2.2)',
    '"https://signature-agent.test"',
    `sig2=("@authority" "signature-agent");created=1735689600;keyid="${exampleKey.keyId}";alg="ed25519";expires=1735693200;nonce="${nonces.string}";tag="web-bot-auth"`,
    'jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==',
    'valid',
  ],
]
for (const [sentence, agentField, input, signature, kind] of vectors) {
  test(`a vector of the draft: ${sentence}`, () => {
    const headers: HeaderList = [
      ['Signature-Agent', agentField],
      ['Signature-Input', input],
      ['Signature', `sig2=:${signature}:`],
    ]
    const claims = claimsOf(headers)
    const url = `https://signature-agent.test${KEY_DIRECTORY_PATH}`
    assert.deepEqual(claims, [{ label: 'sig2', keyId: exampleKey.keyId, url, agent: url }])
    const message = { method: 'GET', url: 'https://example.com/path/to/resource', headers }
    const verdict = verdictOf(message, { at: 1_735_689_600_000, key: exampleKey.publicKey })
    assert.equal(verdict.kind === 'refused' ? verdict.reason : verdict.kind, kind)
    const elsewhere = verdictOf(
      { ...message, url: 'https://b.example/' },
      { at: 1_735_689_600_000, key: exampleKey.publicKey },
    )
    assert.equal(elsewhere.kind === 'refused' && elsewhere.reason, 'forged')
  })
}

const replaced = (message: SignedMessage, name: string, value: (before: string) => string): SignedMessage => ({
  ...message,
  headers: message.headers.map(([key, before]) => [key, key === name ? value(before) : before]),
})
const withAgent = (value: string): SignedMessage => replaced(signed(), 'Signature-Agent', () => value)

const unclaimed: [sentence: string, message: SignedMessage, kind: string][] = [
  ['no signature', page, 'absent'],
  [
    'a signature for something else',
    replaced(signed(), 'Signature-Input', (v) => v.replace('web-bot-auth', 'x')),
    'absent',
  ],
  ['a member with parameters', withAgent('sig1="https://crawler.example/k";type=jwks_uri'), 'malformed'],
  ['a member that is no text', withAgent('sig1=7'), 'malformed'],
  ['another member than the one that is covered', withAgent('sig2="https://crawler.example/k"'), 'malformed'],
  ['a URL without TLS', withAgent('sig1="http://crawler.example/k"'), 'malformed'],
  ['a URL with a password', withAgent('sig1="https://u:p@crawler.example/k"'), 'malformed'],
  ['a path', withAgent('sig1="/keys.json"'), 'malformed'],
  ['a URL without end', withAgent(`sig1="https://crawler.example/${'k'.repeat(3_000)}"`), 'malformed'],
  ['what is no structured field', withAgent('https://crawler.example/k'), 'malformed'],
  ['a key by a name', replaced(signed(), 'Signature-Input', (v) => v.replace(testKey(1).keyId, 'my-key')), 'malformed'],
]
for (const [sentence, message, kind] of unclaimed) {
  test(`nobody is named by ${sentence}`, () => assert.equal(claimsOf(message.headers), kind))
}

test('in a network of one’s own keys may be published without TLS', () => {
  const { headers } = withAgent('sig1="http://10.1.2.3:8080"')
  const url = `http://10.1.2.3:8080${KEY_DIRECTORY_PATH}`
  assert.deepEqual(claimsOf(headers, true), [{ label: 'sig1', keyId: testKey(1).keyId, url, agent: url }])
})

test('a signature over the whole field speaks for its only member', () => {
  const message = { ...page, headers: [['Signature-Agent', 'a="https://crawler.example/k"']] as const }
  const covered = ['@authority', 'signature-agent']
  const fields = signMessage(message, { ...options, covered, tag: WEB_BOT_AUTH_TAG, label: 'x' })
  const [claim] = claimsOf([...message.headers, ...fields])
  assert.equal((claim as BotClaim).agent, 'https://crawler.example/k')
})

test('of several members that are covered the one with the label of the signature counts', () => {
  const field = 'a="https://a.example/k", b="https://b.example/k"'
  const message = { ...page, headers: [['Signature-Agent', field]] as const }
  const covered = ['@authority', 'signature-agent;key="a"', 'signature-agent;key="b"']
  const claim = (label: string): unknown => {
    const fields = signMessage(message, { ...options, covered, tag: WEB_BOT_AUTH_TAG, label })
    const claims = claimsOf([...message.headers, ...fields])
    return typeof claims === 'string' ? claims : claims[0]?.agent
  }
  assert.equal(claim('b'), 'https://b.example/k')
  assert.equal(claim('c'), 'malformed')
})

const refused: [sentence: string, message: SignedMessage, at: number, reason: string][] = [
  ['one that is good for more than a day', signed(page, { lifeMs: 86_401_000 }), AT, 'stale'],
  ['one that has expired', signed(), AT + 62_000, 'stale'],
  ['one whose agent was changed', withAgent('sig1="https://thief.example/keys.json"'), AT, 'forged'],
  ['one for another page', { ...signed(), url: 'https://a.example/other' }, AT, 'forged'],
]
for (const [sentence, message, at, reason] of refused) {
  test(`a claim is refused as ${reason}: ${sentence}`, () => {
    const verdict = verdictOf(message, { at })
    assert.equal(verdict.kind === 'refused' && verdict.reason, reason)
  })
}

test('a signature that does not say for which host it is would be good everywhere, so it is refused', () => {
  const message = { ...page, headers: [['Signature-Agent', 'sig1="https://crawler.example/k"']] as const }
  const fields = signMessage(message, {
    ...options,
    covered: ['@method', 'signature-agent;key="sig1"'],
    tag: WEB_BOT_AUTH_TAG,
  })
  const verdict = verdictOf({ ...message, headers: [...message.headers, ...fields] })
  assert.equal(verdict.kind === 'refused' && verdict.reason, 'covers-too-little')
})

const coveredIn = (text: string): string | undefined => /sig1=(\([^)]*\))/.exec(text)?.[1]

test('what a refusal asks for is what is sent', () => {
  const input = headerOf(signed().headers, 'signature-input')!
  assert.equal(coveredIn(ACCEPT_BOT_SIGNATURE), coveredIn(input))
})

test('any fields are survived, and none of them make somebody known', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'sig1="https://a.example"',
      'sig1=("signature-agent";key="sig1");tag="web-bot-auth"',
      '"https://a.example"',
    ),
  )
  fc.assert(
    fc.property(text, text, text, (one, two, three) => {
      const headers = [
        ['signature-agent', one],
        ['signature-input', two],
        ['signature', three],
      ] as const
      assert.notEqual(verdictOf({ ...page, headers }).kind, 'valid')
    }),
  )
})
