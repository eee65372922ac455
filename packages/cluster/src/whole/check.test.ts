import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCluster } from './check.ts'

const server = { version: '2.10.23', name: 'n', servers: 3, maxPayload: 1 << 20 }
const said = (given: Partial<typeof server>, shards = 24, machines = 3): string =>
  checkCluster({ ...server, ...given }, { shards }, machines)
    .map(({ what }) => what)
    .join('; ')

// oxfmt-ignore
const versions: [version: string, isNamed: boolean][] = [
  ['2.9.10', true], ['2.10.22', true], ['2.10.23', false], ['2.11.0', false], ['2.14.0-preview', false], ['3.0.0', false], ['?', true],
]
for (const [version, isNamed] of versions) {
  test(`nats-server ${version} is ${isNamed ? 'named' : 'not named'}`, () =>
    assert.equal(/is older than/.test(said({ version })), isNamed))
}

test('what nobody can see is said each time, and one server, short messages and few shards when they are there', () => {
  assert.match(said({}), /^nobody outside can see whether JetStream syncs what it acknowledges$/)
  assert.match(said({ servers: 1 }), /1 NATS server$/)
  assert.match(said({ maxPayload: 9 }), /at most 9 bytes/)
  assert.match(said({}, 4, 3), /4 shards for 3 machines/)
})
