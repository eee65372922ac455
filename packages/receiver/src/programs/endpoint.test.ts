import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { AgentStore, MAX_BUNDLE_BYTES, writeBundle } from '@comity/agent'
import { programGetter, updateProgram } from '@comity/gateway'
import type { ProgramUpdate } from '@comity/gateway'
import { faultFigure, newKeyRing } from '@comity/protocol'
import type { KeyRing } from '@comity/protocol'
import { httpPost, pushSigner } from '@comity/site'
import { GatewayEndpoint } from '../proof/gateway-endpoint.ts'
import { GatewayTrust } from '../proof/gateway-trust.ts'
import { answerProgram, ProgramEndpoint } from './endpoint.ts'
import { PROGRAM_ENGINE, programKey, signedProgram } from '../testing/program-fixture.ts'
import { PushRefusal } from '../admit/push-refusal.ts'
import { BodiesUnderWay } from '../body/bodies-under-way.ts'
import { receiverLimits } from '../limits.ts'
import { receiverRequest } from '../request.ts'

const gateways: Readonly<Record<string, KeyRing>> = Object.fromEntries(
  ['north', 'south'].map((name, place) => [name, newKeyRing(Buffer.alloc(32, place + 2), 0)]),
)

const [one, two] = [signedProgram('1.0.0'), signedProgram('2.0.0')]

interface Repository {
  readonly dir: string
  readonly door: ProgramEndpoint
  readonly told: string[]
  readonly url: string
  /** As a gateway with a store of its own. */
  readonly update: (gateway: string, ring?: KeyRing) => Promise<ProgramUpdate>
}

async function repository(t: TestContext, programs: unknown): Promise<Repository> {
  const dir = mkdtempSync(join(tmpdir(), 'comity-door-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  for (const each of [one, two]) writeFileSync(join(dir, `${each.manifest.version}.agent`), writeBundle(each))
  writeFileSync(join(dir, 'programs.json'), JSON.stringify({ programs }))
  const listed = Object.entries(gateways).map(([name, [key]]) => ({
    name,
    key: key.publicKey.export({ format: 'jwk' }),
    hosts: ['a.example'],
  }))
  writeFileSync(join(dir, 'gateways.json'), JSON.stringify({ gateways: listed }))
  const told: string[] = []
  const door = new ProgramEndpoint(join(dir, 'programs.json'), {
    now: Date.now,
    tell: (words) => void told.push(words),
  })
  const heard = new GatewayEndpoint(new GatewayTrust(join(dir, 'gateways.json'), { now: Date.now }), Date.now)
  let url = ''
  const bodies = new BodiesUnderWay(receiverLimits.body, Date.now)
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const request = receiverRequest(incoming, response, url, '', bodies)
      const { status, headers, type, body } = await answerProgram(request, heard, door)
      response.writeHead(status, { ...headers, 'Content-Type': type ?? 'text/plain' }).end(body)
    } catch (error) {
      if (!(error instanceof PushRefusal)) throw error
      response.writeHead(error.status).end(error.body)
    }
  }
  const server = createServer((incoming, response) => void answer(incoming, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const update = async (gateway: string, ring = gateways[gateway]!): Promise<ProgramUpdate> => {
    const store = new AgentStore(join(dir, gateway))
    store.trust([programKey.publicKey], PROGRAM_ENGINE)
    const sign = pushSigner({ ring: () => ring }, Date.now)
    const post = httpPost({ sign, maxAnswerBytes: MAX_BUNDLE_BYTES + 1 })
    return await updateProgram(store, 'rules', { get: programGetter(post, url), now: Date.now })
  }
  return { dir, door, told, url, update }
}

test('a gateway gets what it is nominated for, by its signature, and it is known who runs what', async (t) => {
  const versions = [{ bundle: '1.0.0.agent' }, { bundle: '2.0.0.agent', gateways: ['north'] }]
  const { door, update } = await repository(t, [{ name: 'rules', versions }])
  assert.deepEqual(await update('north'), { kind: 'installed', version: '2.0.0' })
  assert.deepEqual(await update('south'), { kind: 'installed', version: '1.0.0' })
  assert.deepEqual(await update('north'), { kind: 'same' })
  assert.deepEqual(
    door.uses.map(({ gateway, runs, nominated }) => [gateway, runs, nominated]),
    [
      ['south', undefined, one.digest],
      ['north', two.digest, two.digest],
    ],
  )
})

test('who is not listed, or has no licence, gets nothing', async (t) => {
  const versions = [{ bundle: '1.0.0.agent' }]
  const { update } = await repository(t, [{ name: 'rules', gateways: ['north'], versions }])
  const south = await update('south')
  assert.match('problem' in south ? south.problem : '', /404: There is no program rules for south/)
  const stranger = await update('east', newKeyRing(Buffer.alloc(32, 9), 0))
  assert.match('problem' in stranger ? stranger.problem : '', /403/)
  assert.equal((await update('north')).kind, 'installed')
})

test('faults that gateways tell of withdraw a version, also after a restart, until the operator forgives it', async (t) => {
  const versions = [{ bundle: '1.0.0.agent' }, { bundle: '2.0.0.agent' }]
  const { dir, door, told, update } = await repository(t, [{ name: 'rules', versions, maxFaults: 3 }])
  assert.deepEqual(await update('north'), { kind: 'installed', version: '2.0.0' })
  door.report('north', { cookie: 9, [faultFigure(two.digest)]: 2 })
  assert.deepEqual(door.withdrawn, [])
  door.report('south', { [faultFigure(two.digest)]: 1, [faultFigure(`sha-256:${'0'.repeat(64)}`)]: 9 })
  assert.deepEqual(
    door.withdrawn.map(({ version, reason }) => [version, reason]),
    [['2.0.0', '3 faults at north, south']],
  )
  assert.match(told[0] ?? '', /rules 2\.0\.0 was withdrawn/)
  assert.deepEqual(await update('north'), { kind: 'installed', version: '1.0.0' })
  const again = new ProgramEndpoint(join(dir, 'programs.json'), { now: Date.now, tell: () => undefined })
  assert.equal(again.ask('rules', 'north', undefined)?.version, '1.0.0')
  again.forgive(two.digest)
  assert.equal(again.ask('rules', 'north', undefined)?.version, '2.0.0')
})

test('a file that is spoiled changes nothing, and is told', async (t) => {
  const { dir, told, door } = await repository(t, [{ name: 'rules', versions: [{ bundle: '1.0.0.agent' }] }])
  writeFileSync(join(dir, 'programs.json'), 'oops')
  assert.equal(door.ask('rules', 'north', undefined)?.version, '1.0.0')
  assert.equal(door.ask('rules', 'north', undefined)?.version, '1.0.0')
  assert.equal(told.length, 1)
})
