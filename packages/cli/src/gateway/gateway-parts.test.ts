import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import test from 'node:test'
import { parseCommandLine } from '../command-line.ts'
import { gatewayCommand } from './command.ts'
import type { GatewaySettings } from './flags.ts'
import { keyFileOf, openGateway } from './gateway-parts.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const settingsOf = (...words: string[]): GatewaySettings => parseCommandLine(gatewayCommand, words, {}).settings

test('without a repository nothing is written, and nothing is sent', async () => {
  await using parts = await openGateway(settingsOf('--pcap', 'x'), { tell: assert.fail })
  assert.equal(parts.spool, undefined)
  assert.equal(parts.sender, undefined)
  parts.node.cut()
  assert.equal(parts.node.figures.batches, 0)
})

test('a state is made for its owner alone, and let go at the end', async () => {
  using folder = temporaryFolder()
  const state = folder.at('state')
  const settings = settingsOf('--pcap', 'x', '--to', 'http://127.0.0.1:9', '--state', state, '--hosts', 'a.example')
  for (let i = 0; i < 2; i++) {
    await using parts = await openGateway(settings, { tell: assert.fail })
    assert.ok(parts.sender !== undefined && parts.spool !== undefined)
    await assert.rejects(openGateway(settings, { tell: assert.fail }), /is being written by/)
  }
  assert.equal(statSync(state).mode & 0o077, 0)
  assert.ok(['keys.json', 'pages.table', 'spool'].every((name) => readdirSync(state).includes(name)))
  assert.ok(existsSync((await keyFileOf(settings)).path))
})

test('keys stand where somebody says', async () => {
  using folder = temporaryFolder()
  const settings = settingsOf('--keys', folder.at('mine.json'))
  assert.equal((await keyFileOf(settings)).path, folder.at('mine.json'))
  await assert.rejects(keyFileOf(settingsOf()), /--state DIR, or --keys FILE/)
})
