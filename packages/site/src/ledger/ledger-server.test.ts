import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { askPort, listening } from '../testing/adapter-sample.ts'
import type { Got } from '../testing/adapter-sample.ts'
import { ledgerHandler } from './ledger-server.ts'
import { Ledger } from './ledger.ts'

async function serving(t: TestContext): Promise<(path: string, headers?: Record<string, string>) => Promise<Got>> {
  const ledger = new Ledger(0)
  const parts = { store: () => ledger.store(), base: 'https://a.example/', hostNames: ['ledger.intranet'] }
  const server = createServer(ledgerHandler({ ...parts, push: () => ({ subscribers: [] }) }))
  const port = await listening(server)
  t.after(() => server.close())
  return async (path, headers = {}) => await askPort(port, path, { headers: { host: '127.0.0.1', ...headers } })
}

// oxfmt-ignore
const cases: [sentence: string, path: string, headers: Record<string, string>, status: number][] = [
  ['the page',                             '/',            {},                                                                   200],
  ['by the name it was given',             '/ledger.json', { host: 'ledger.intranet:80' },                                       200],
  ['what is sent',                         '/push.json',   { host: 'localhost' },                                                200],
  ['what is not there',                    '/x',           {},                                                                   404],
  ['a name that a stranger may own',       '/',            { host: 'evil.example' },                                             421],
  ['such a name for programs',             '/ledger.json', { host: 'evil.example:8092' },                                        421],
  ['such a name that begins like ours',    '/push.json',   { host: '127.0.0.1.evil.example' },                                   421],
  ['a script on another site',             '/ledger.json', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },      403],
  ['a link on another site',               '/',            { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },     200],
]
for (const [sentence, path, headers, status] of cases)
  test(`the ledger is asked for ${sentence}`, async (t) => {
    const ask = await serving(t)
    const got = await ask(path, headers)
    assert.equal(got.status, status)
    assert.match(String(got.headers['content-security-policy']), /default-src 'none'/)
  })
