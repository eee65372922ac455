/** Programs of a repository that its gateways run: nominated by share and by name, trusted or not, taken back when they fail. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { AgentStore, makeBundle, signBundle, writeBundle } from '@comity/agent'
import type { AgentBundle } from '@comity/agent'
import { newKeyRing, publishedKeys, writeKeySet } from '@comity/protocol'
import { nominatedVersion, programsView, readProgramList } from '@comity/receiver'
import type { ProgramsView } from '@comity/receiver'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'
import { Dialogue } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'
import { found, repository, UNI } from './gateway-watch.ts'
import type { Repository } from './gateway-watch.ts'
import { until } from '../push/push-watch.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-programs-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
const at = (...parts: string[]): string => join(scratch, ...parts)

const ENGINE = 'https://engine.example/keys'
const engine = newKeyRing(Buffer.alloc(32, 5), Date.now() - 86_400_000)
writeFileSync(at('engine-public.json'), writeKeySet(publishedKeys(engine, Date.now())))

const RULES = `export function onPage(page, agent) {
  const { title } = agent.html(page)
  if (title === 'Login') agent.emit({ kind: 'meta', url: page.url, skip: 'login' })
  if (title === 'Draft') agent.emit({ kind: 'postings', url: page.url, title: 'Draft', text: 'wombat instead', links: [] })
}`
const FAULTY = 'export function onPage() { throw new Error("a bad day") }'

/** Beside the file of programs. */
function bundle(version: string, source = RULES, name = 'rules'): AgentBundle {
  const manifest = {
    name,
    version,
    about: 'Says what is indexed.',
    api: 1,
    hostVersion: '0.1.0',
    engine: ENGINE,
    madeAt: Date.now() - 1_000,
    expiresAt: Date.now() + 86_400_000,
    perPage: true,
    reads: ['pages'],
    emits: ['meta', 'postings'],
    unaudited: [],
    caps: {},
  } as const
  const signed = signBundle(makeBundle(manifest, source), engine[0])
  writeFileSync(at(`${name}-${version}.agent`), writeBundle(signed))
  return signed
}

/** A file of programs. */
function nominate(file: string, ...programs: object[]): string {
  writeFileSync(at(file), JSON.stringify({ programs }))
  return at(file)
}

function viewOf(path: string): ProgramsView {
  const view = programsView(path)
  assert.ok(typeof view !== 'string', JSON.stringify(view))
  return view
}
const running = (path: string): unknown[] => viewOf(path).uses.map(({ gateway, runs }) => [gateway, runs])

/** What three people read. */
function capture(run: string): string {
  const packets = ['Login', 'Draft', 'Plain'].flatMap((title, i) => {
    const body = `<title>${title}</title><p>badger ${run} ${title}`
    const client = { address: [198, 51, 100, i + 1], port: 40_000 }
    const server = { address: [192, 0, 2, 80], port: 80 }
    const request = `GET /${run}-${title} HTTP/1.1\r\nHost: www.uni.example\r\nUser-Agent: Mozilla/5.0\r\n\r\n`
    const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    return new Dialogue({ client, server, startAt: 1_700_000_000_000 + i * 100 })
      .open()
      .exchange(request, answer)
      .close().packets
  })
  writeFileSync(at(`${run}.pcap`), pcapFile(packets))
  return at(`${run}.pcap`)
}

/** `comity gateway` of one gateway, which reads that, or nothing. */
async function runGateway(
  name: string,
  repo: Repository,
  program = 'rules',
  read: readonly string[] = [],
): Promise<Ended> {
  const words = ['--state', at(name), '--to', repo.watch.doors.url, '--hosts', '*.uni.example', ...SERVERS, '--json']
  const ended = await comityHere(['gateway', ...words, '--program', program, '--agents', at(`${name}-agents`), ...read])
  assert.equal(ended.code, 0, ended.stderr)
  return ended
}

const SERVERS = ['--servers', '192.0.2.80']
const trust = (name: string): void => void new AgentStore(at(`${name}-agents`)).trust([engine[0].publicKey], ENGINE)

describe('programs of a repository', () => {
  const gateways = at('gateways.json')

  before(async () => {
    const entries: object[] = []
    for (const name of ['north', 'south', 'east', 'west']) {
      const printed = await comityHere([
        'gateway',
        'key',
        '--state',
        at(name),
        '--name',
        name,
        '--hosts',
        '*.uni.example',
      ])
      entries.push(...(JSON.parse(printed.stdout) as { gateways: object[] }).gateways)
    }
    writeFileSync(gateways, JSON.stringify({ gateways: entries }))
  })

  it('run where they are nominated by a share, if the operator trusts the key, and say what is indexed', async () => {
    bundle('1.0.0')
    // Of two gateways, one is in a half; which one follows from the bundle.
    let [next, programs] = ['', '']
    for (let patch = 0; next === ''; patch++) {
      bundle(`1.1.${patch}`)
      const versions = [{ bundle: 'rules-1.0.0.agent' }, { bundle: `rules-1.1.${patch}.agent`, share: 0.5 }]
      programs = nominate('share.json', { name: 'rules', versions }, licensed())
      const [rules] = readProgramList(programs) as Exclude<ReturnType<typeof readProgramList>, string>
      const chosen = ['north', 'south'].map((name) => nominatedVersion(rules!, name, () => false)?.version)
      if (chosen[0] !== '1.0.0' && chosen[1] === '1.0.0') next = `1.1.${patch}`
    }
    await using repo = await repository({ gateways, doors: { programs } })
    // As an operator does it: by hand the first time.
    const words = ['--trust', at('engine-public.json'), '--agents', at('north-agents')]
    const installed = await comityHere(['agent', 'install', at('rules-1.0.0.agent'), ...words])
    assert.equal(installed.code, 0, installed.stderr)

    const north = await runGateway('north', repo, 'rules', ['--pcap', capture('one')])
    assert.ok(north.stderr.includes(`Program rules ${next} came from the repository`), north.stderr)
    const { skipped, program } = lastJson(north) as Record<string, Record<string, unknown>>
    assert.deepEqual(skipped, { 'program-login': 1 })
    assert.deepEqual(program, { name: 'rules', version: next, judged: 3, skipped: 1, replaced: 1, runs: 1, faults: 0 })
    await repo.dealtWith('north', 1)
    await until('the words that the program gave are found', async () =>
      (await found(repo.into, 'wombat')).includes(`${UNI}/one-Draft`),
    )
    assert.deepEqual(await found(repo.into, 'badger'), [`${UNI}/one-Plain`])

    // South trusts nobody: its own rules are all there is.
    const south = await runGateway('south', repo, 'rules', ['--pcap', capture('two')])
    assert.match(south.stderr, /rules was not taken from the repository: .*none of its keys is trusted here/)
    assert.deepEqual(lastJson(south)['skipped'], {})
    await repo.dealtWith('south', 1)
    await until('all that south saw is found', async () => (await found(repo.into, 'two badger')).length >= 3)
    assert.deepEqual(running(programs), [
      ['north', next],
      ['south', undefined],
    ])

    const stranger = await runGateway('south', repo, 'licensed')
    assert.match(stranger.stderr, /licensed was not taken .*404: There is no program licensed for south/)
    assert.match((await runGateway('north', repo, 'licensed')).stderr, /licensed 1\.0\.0 came from the repository/)
  })

  it('are rolled back everywhere when a version fails, until the operator forgives it', async () => {
    bundle('2.0.0')
    bundle('2.1.0', FAULTY)
    const versions = [{ bundle: 'rules-2.0.0.agent' }, { bundle: 'rules-2.1.0.agent', share: 1 }]
    const programs = nominate('faulty.json', { name: 'rules', versions, maxFaults: 3 })
    const told: string[] = []
    await using repo = await repository({ gateways, doors: { programs, tell: (sentence) => void told.push(sentence) } })
    for (const name of ['east', 'west']) trust(name)
    for (const name of ['east', 'west'])
      assert.match((await runGateway(name, repo)).stderr, /rules 2\.1\.0 came from the repository/)

    const east = await runGateway('east', repo, 'rules', ['--pcap', capture('three')])
    assert.match(east.stderr, /Program rules 2\.1\.0 failed on 3 pages/)
    assert.equal((lastJson(east)['program'] as Record<string, unknown>)['faults'], 3)
    await until('it is withdrawn', () =>
      told.some((one) => one.includes('rules 2.1.0 was withdrawn: 3 faults at east')),
    )

    // Nothing failed at west; it goes back as the repository says so, and what runs there works.
    const west = await runGateway('west', repo, 'rules', ['--pcap', capture('four')])
    assert.match(west.stderr, /rules 2\.0\.0 came from the repository/)
    assert.deepEqual(lastJson(west)['skipped'], { 'program-login': 1 })
    assert.deepEqual(running(programs).at(-1), ['west', '2.0.0'])

    const shown = await comityHere(['gateway', 'programs', programs])
    assert.match(shown.stdout, /rules {2}2\.1\.0 {2}for all gateways .*3 of 3 faults {2}withdrawn: 3 faults at east/)
    assert.match(shown.stdout, /west {2}rules {2}runs 2\.0\.0 /)
    const forgiven = await comityHere(['gateway', 'programs', programs, '--forgive', 'rules', '--json'])
    assert.equal(forgiven.code, 0, forgiven.stderr)
    assert.equal((lastJson(forgiven) as unknown as ProgramsView).versions[1]?.withdrawn, undefined)
    assert.match((await runGateway('west', repo)).stderr, /rules 2\.1\.0 came from the repository/)
    // Where it failed, its operator has a say too.
    assert.match((await runGateway('east', repo)).stderr, /2\.1\.0 is wanted by the repository, and failed here/)
    const twice = await comityHere(['gateway', 'programs', programs, '--forgive', 'rules'])
    assert.equal(twice.code, 2)
    assert.match(twice.stderr, /no version of rules was withdrawn/)
  })
})

function licensed(): object {
  bundle('1.0.0', RULES, 'licensed')
  return { name: 'licensed', gateways: ['north'], versions: [{ bundle: 'licensed-1.0.0.agent' }] }
}
