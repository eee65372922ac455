// Runs alone: it is long.
/** Bench programs prove equal work or print no ratio, and say what they do not understand. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { missing } from '@comity/protocol/testing'
import { printFigure, printRatio, problemsOf, sayMissing } from '../bench/equal-work.ts'
import type { Side, Work } from '../bench/equal-work.ts'
import { Dialogue, get, ok } from '../packages/gateway/src/testing/dialogue-sample.ts'
import { pcapFile } from '../packages/gateway/src/testing/packet-sample.ts'
import { files, read, root } from './repository-tree.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-benches-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const LIMIT = { timeout: 120_000 }
const side = (name: string, ...work: readonly Work[]): Side => ({ name, value: 4, cpuSeconds: 2, work })

const cases: [sentence: string, sides: Side[], problems: string[]][] = [
  ['the same counts and digests are equal work', [side('a', { n: 3, d: 'x' }), side('b', { n: 3, d: 'x' })], []],
  ['another count is not', [side('a', { n: 3 }), side('b', { n: 4 })], ['n: a 3, b 4']],
  ['another digest is not', [side('a', { n: 3, d: 'x' }), side('b', { n: 3, d: 'y' })], ['d: a x, b y']],
  ['what one does not tell is not', [side('a', { n: 3, d: 'x' }), side('b', { n: 3 })], ['d: a x, b does not say']],
  [
    'nothing on both sides is no work',
    [side('a', { n: 0 }), side('b', { n: 0 })],
    ['a did nothing: n 0', 'b did nothing: n 0'],
  ],
  ['a count that is no number is no work', [side('a', { n: Number.NaN })], ['a did nothing: n NaN']],
  ['an empty digest and an empty list are no work', [side('a', { d: '' })], ['a did nothing: d none']],
  [
    'who tells nothing proves nothing',
    [side('a', {}), side('b', {})],
    ['a tells nothing of its work', 'b tells nothing of its work'],
  ],
  ['who made no round proves nothing', [side('a')], ['a made no round']],
  ['nobody proves nothing', [], ['nobody took part']],
  [
    'a round that did another thing than the first is told',
    [side('a', { n: 3 }, { n: 3 }, { n: 2 })],
    ['n: a at first 3, in round 3 2'],
  ],
  ['lists are the same in any order', [side('a', { l: ['x', 'y'] }), side('b', { l: ['y', 'x'] })], []],
  [
    'of lists it is said what only one has, and twice is more than once',
    [side('a', { l: ['x', 'x', 'y'] }), side('b', { l: ['x', 'y', 'z'] })],
    ['l: 1 only of a, such as x; 1 only of b, such as z'],
  ],
  [
    'each of many is compared with the first',
    [side('a', { n: 1 }), side('b', { n: 1 }), side('c', { n: 2 })],
    ['n: a 1, c 2'],
  ],
]
for (const [sentence, sides, problems] of cases)
  test(`equal work: ${sentence}`, () => assert.deepEqual(problemsOf(sides), problems))

/** What it prints to stdout, and the exit code that it leaves. */
function printed(t: TestContext, act: () => void): { out: string; err: string; code: unknown } {
  const [out, err]: [string[], string[]] = [[], []]
  t.mock.method(console, 'log', (line: string) => void out.push(line))
  t.mock.method(console, 'error', (line: string) => void err.push(line))
  const before = process.exitCode
  act()
  const code = process.exitCode
  process.exitCode = before
  t.mock.restoreAll()
  return { out: out.join('\n'), err: err.join('\n'), code }
}

const comparison = { what: 'decode', unit: 'ms', better: 'less' } as const

test('a ratio of equal work has both figures, and of the processor beside the clock', (t) => {
  const peer = { ...side('peer@9.1', { n: 3 }), value: 6, cpuSeconds: 5 }
  const { out, code } = printed(t, () => printRatio({ ...comparison, ours: side('ours', { n: 3 }), peer }))
  assert.match(
    out,
    /ours 4 ms \(2 s of processor\) {3}peer@9\.1 6 ms \(5 s of processor\) {3}1\.50x \(2\.50x of processor\)$/,
  )
  assert.equal(code, undefined)
})

test('a ratio of unequal work is not printed, and the exit code is 1', (t) => {
  const peer = side('peer@9.1', { n: 2 })
  const { out, err, code } = printed(t, () => printRatio({ ...comparison, ours: side('ours', { n: 3 }), peer }))
  assert.equal(out, '')
  assert.match(err, /n: ours 3, peer@9\.1 2/)
  assert.equal(code, 1)
})

test('a rate of nothing is not printed, and the exit code is 1', (t) => {
  const { out, code } = printed(t, () => printFigure('decode', '/s', side('ours', { n: 0 })))
  assert.deepEqual([out, code], ['', 1])
})

test('a figure that was not taken is not printed, and the exit code is 1', (t) => {
  const ours = { ...side('ours', { n: 1 }), value: Number.NaN }
  const { out, code } = printed(t, () => printRatio({ ...comparison, ours, peer: side('peer', { n: 1 }) }))
  assert.deepEqual([out, code], ['', 1])
})

test('a difference below nothing is noise and no ratio, nor a failed proof', (t) => {
  const ours = { ...side('ours', { n: 1 }), value: -1 }
  const { out, code } = printed(t, () => printRatio({ ...comparison, ours, peer: side('peer', { n: 1 }) }))
  assert.match(out, /within the noise$/)
  assert.equal(code, undefined)
})

test('a missing peer is no failed proof', (t) => {
  const { out, err, code } = printed(t, () => sayMissing('peer', 'apt-get install peer'))
  assert.deepEqual([out, code], ['', undefined])
  assert.match(err, /apt-get install peer/)
})

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
const programs = Object.entries(scripts).flatMap(([name, command]) =>
  name.startsWith('bench:') ? [command.replace(/^node /, '')] : [],
)

interface Ended {
  readonly out: string
  readonly err: string
  readonly code: number | null
}

async function run(args: readonly string[], path = process.env['PATH']): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path, NODE_TEST_CONTEXT: undefined },
    timeout: 60_000,
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const code = await new Promise<number | null>((resolve) => void child.on('close', resolve))
  return { out, err, code }
}

test(
  'every bench program answers a flag that it does not know with a message, its usage and exit code 2',
  LIMIT,
  async () => {
    assert.ok(programs.length >= 15)
    for (const program of [...programs, 'bench/gateway-capture.ts']) {
      const { out, err, code } = await run([program, '--no-such-flag'])
      assert.equal(code, 2, `${program}: ${err}`)
      assert.equal(out, '', program)
      assert.match(err, /^Unknown option '--no-such-flag'/, program)
      assert.match(err, /^ {2}(?:node bench\/|npm run bench:)/m, `${program} shows how it is called`)
      assert.doesNotMatch(err, /^ {4}at /m, `${program} shows a trace`)
    }
  },
)

test('a number that cannot be meant is refused, and --help is the head of the program', LIMIT, async () => {
  const program = join(folder, 'program.ts')
  const reader = pathToFileURL(join(root, 'bench/arguments.ts')).href
  const body = `import { readArguments } from '${reader}'
console.log(JSON.stringify(readArguments(import.meta.filename, { rounds: 3, share: 0.5, pause: { value: 9, least: 0 } }).flags))`
  writeFileSync(program, `/**\n * What it is for.\n *\n *   node bench/program.ts [--rounds 3]\n */\n${body}\n`)
  for (const value of ['0', '-1', '1.5', 'x', '', 'Infinity']) {
    const { out, err, code } = await run([program, `--rounds=${value}`])
    assert.deepEqual([code, out], [2, ''], value)
    assert.equal(err.split('\n')[0], `--rounds is a whole number from 1 on, not ${value}`)
  }
  const taken = await run([program, '--pause=0', '--share=0.25'])
  assert.deepEqual(JSON.parse(taken.out), { rounds: 3, share: 0.25, pause: 0 })
  const help = await run([program, '--help'])
  assert.deepEqual([help.code, help.out], [0, 'What it is for.\n\n  node bench/program.ts [--rounds 3]\n'])
})

test('ratios are made in one place', () => {
  const own = files.filter(
    (path) => path.startsWith('bench/') && path.endsWith('.ts') && path !== 'bench/equal-work.ts',
  )
  assert.ok(own.length > 30)
  assert.deepEqual(
    own.filter((path) => /\}x[`' )]/.test(read(path))),
    [],
  )
})

/** A machine without the programs of others. */
function bareMachine(): string | undefined {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const name of ['bash', 'taskset']) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
    if (found === '') return undefined
    symlinkSync(found, join(bin, name))
  }
  return bin
}

test(
  'bench:gateway says how fast pages of any host are indexed, and of a capture without pages nothing',
  LIMIT,
  async (t) => {
    const bin = bareMachine()
    if (bin === undefined) return missing(t, 'bash and taskset', 'apt-get install bash util-linux')
    const capture = join(folder, 'some.pcap')
    const page = '<title>A page</title><p>words of a page'
    writeFileSync(capture, pcapFile(new Dialogue().open().exchange(get('/'), ok(page)).close().packets))
    const some = await run(['bench/gateway.ts', capture, '--rounds=1', `--into=${folder}`], bin)
    assert.equal(some.code, 0, some.err)
    assert.match(some.out, /^rebuilt, 1 pages of 1 objects shipped +ours, indexed and shipped [\d.]+ Gbit/m)
    assert.match(some.err, /tshark is missing, so there is no ratio to it: apt-get install/)

    const picture = 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\n\r\npng'
    writeFileSync(capture, pcapFile(new Dialogue().open().exchange(get('/'), picture).close().packets))
    const none = await run(['bench/gateway.ts', capture, '--rounds=1', `--into=${folder}`], bin)
    assert.equal(none.code, 1)
    assert.match(none.out, /^rebuilt +ours, rebuilt only [\d.]+ Gbit/m)
    assert.doesNotMatch(none.out, /shipped +ours/)
    assert.match(none.err, /did nothing: pages in the spool 0/)
  },
)
