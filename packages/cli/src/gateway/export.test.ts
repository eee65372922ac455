import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ObservedExchange } from '@comity/gateway'
import { GatewayExport } from './export.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const shared = { version: '1.1', doubts: [], isFramingOdd: false } as const
const observed = (
  url: string,
  body: string | Uint8Array,
  change: Partial<ObservedExchange> = {},
  fields: [string, string][] = [],
): ObservedExchange => ({
  at: 0,
  endedAt: 0,
  client: '198.51.100.77',
  server: '192.0.2.1',
  serverPort: 80,
  authentication: 'none',
  request: { kind: 'request', method: 'GET', target: '/', headers: [], ...shared },
  url,
  response: { kind: 'response', status: 200, headers: [['Content-Type', '=cmd\tx'], ...fields], ...shared },
  body: Buffer.from(body),
  verdict: 'whole',
  ...change,
})

test('bodies are written without their codings, under names that are safe, and everything is handed on', () => {
  using folder = temporaryFolder()
  const out = folder.at('out')
  const seen: string[] = []
  {
    using files = new GatewayExport(out, { observed: ({ url }) => void seen.push(url ?? '') })
    files.observed(observed('http://a.example/', 'home'))
    files.observed(
      observed('http://a.example/x/%2e%2e%2fname.html?q=1', gzipSync('packed'), {}, [['Content-Encoding', 'gzip']]),
    )
    files.observed(observed('http://a.example/broken', 'no gzip', {}, [['Content-Encoding', 'gzip']]))
    files.observed(observed('http://a.example/hole', 'part', { verdict: 'hole' }))
    files.observed(observed('http://a.example/empty', ''))
    assert.deepEqual(files.written, { files: 3, bytes: 4 + 6 + 7 })
  }
  assert.equal(seen.length, 5)
  const names = readdirSync(out).toSorted()
  assert.equal(names.length, 4)
  assert.ok(names.every((name) => /^[\w.-]+$/.test(name)))
  assert.deepEqual(
    names.slice(0, 3).map((name) => readFileSync(join(out, name), 'latin1')),
    ['home', 'packed', 'no gzip'],
  )
  const list = readFileSync(join(out, 'index.tsv'), 'utf8')
  assert.equal(list.split('\n').length, 5)
  assert.ok(
    list
      .split('\n')
      .slice(0, -1)
      .every((line) => line.split('\t').length === 5),
  )
  assert.doesNotMatch(list, /198\.51/)
  assert.match(list, /\t'=cmd x\t/, 'what a server says is a text, and no formula')
})
