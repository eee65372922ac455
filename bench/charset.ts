/**
 * How often a charset that nobody declares is guessed right, and what a guess costs, beside libraries that do the same.
 *
 *   node bench/charset.ts FOLDER [--peers DIR] [--rounds 5]
 *
 * FOLDER has a folder for each charset, by its name in the Encoding standard, and below it texts or pages in that. A guess is
 * right when the text comes out as it was written, whatever the charset is called: many agree on all that a text needs. The peers
 * are loaded from DIR/node_modules (`npm install --prefix bench/peers`); those that are not there are left out.
 *
 * Equal work: every text is read by each, and each reads it the same in every round.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { guessCharset } from '../packages/protocol/src/charset/charset-guess.ts'
import { decodeAs, encodingOf } from '../packages/protocol/src/charset/decoders.ts'
import { endWith, readArguments } from './arguments.ts'
import { printFigure, printRatio, sayMissing } from './equal-work.ts'
import type { Side, Work } from './equal-work.ts'
import { formatCount, median, ownTime, since } from './measure.ts'

const { flags, positionals } = readArguments(
  import.meta.filename,
  { peers: join(import.meta.dirname, 'peers'), rounds: 5 },
  1,
)
const [folder] = positionals
if (folder === undefined) endWith(import.meta.filename, 'Name a folder of texts by charset')

interface Text {
  readonly charset: string
  readonly bytes: Uint8Array
}

/** What it calls a charset; undefined for none. */
type Guess = (bytes: Uint8Array) => string | undefined
interface Guesser {
  readonly name: string
  readonly guess: Guess
}

function textsOf(from: string): Text[] {
  return globSync('*/**/*', { cwd: from })
    .toSorted()
    .filter((path) => statSync(join(from, path)).isFile())
    .flatMap((path) => {
      const charset = encodingOf(path.split('/', 1)[0]!)
      return charset === undefined ? [] : [{ charset, bytes: new Uint8Array(readFileSync(join(from, path))) }]
    })
}

const nodeModules = resolve(flags.peers, 'node_modules')
const load = createRequire(join(nodeModules, 'x.cjs'))

function versionOf(name: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(nodeModules, name, 'package.json'), 'utf8'))
  return `${name}@${version}`
}

type WasmExports = Readonly<Record<string, (...values: number[]) => number>> & {
  readonly memory: { readonly buffer: ArrayBuffer }
}

/** As much of it as is needed here; Node has it, its types do not. */
declare const WebAssembly: {
  readonly Module: {
    new (code: Uint8Array): object
    imports: (module: object) => readonly { readonly module: string; readonly name: string }[]
  }
  readonly Instance: new (module: object, imports: object) => { readonly exports: WasmExports }
}

/** Firefox's. Its package is for bundlers, so the part that guesses is asked itself. */
function chardetng(): Guess {
  const file = join(nodeModules, 'chardetng-wasm/dist/chardetng_wasm_bg.wasm')
  const module = new WebAssembly.Module(readFileSync(file))
  const needed = WebAssembly.Module.imports(module).map(({ module: from, name }) => [from, { [name]: () => 0 }])
  const wasm = new WebAssembly.Instance(module, Object.fromEntries(needed)).exports
  return (bytes) => {
    const answer = wasm['__wbindgen_add_to_stack_pointer']!(-16)
    const start = wasm['__wbindgen_malloc']!(bytes.length)
    new Uint8Array(wasm.memory.buffer).set(bytes, start)
    wasm['detect']!(answer, start, bytes.length)
    const [at = 0, length = 0] = new Int32Array(wasm.memory.buffer, answer, 2)
    const name = Buffer.from(wasm.memory.buffer, at, length).toString()
    wasm['__wbindgen_add_to_stack_pointer']!(16)
    wasm['__wbindgen_free']!(at, length)
    return name
  }
}

const makers: readonly (readonly [name: string, make: () => Guess])[] = [
  ['chardetng-wasm', chardetng],
  ['chardet', () => (load('chardet') as { detect: Guess }).detect],
  [
    'jschardet',
    () => {
      const { detect } = load('jschardet') as { detect: (bytes: Buffer) => { encoding?: string } }
      return (bytes) => detect(Buffer.from(bytes)).encoding
    },
  ],
]

function peersThere(): Guesser[] {
  const there = makers.filter(([name]) => existsSync(join(nodeModules, name)))
  const missing = makers.filter((one) => !there.includes(one)).map(([name]) => name)
  if (missing.length > 0)
    sayMissing(missing.join(', '), 'npm install --prefix bench/peers, or of another folder --peers DIR')
  return there.map(([name, make]) => ({ name: versionOf(name), guess: make() }))
}

const isRight = ({ charset, bytes }: Text, guessed: string | undefined): boolean => {
  const known = encodingOf(guessed ?? 'windows-1252')
  return known !== undefined && decodeAs(known, bytes) === decodeAs(charset, bytes)
}

function sideOf(texts: readonly Text[], { name, guess }: Guesser): Side & { readonly right: number } {
  const rounds = Array.from({ length: flags.rounds + 1 }, () => {
    const before = ownTime()
    const guessed = texts.map(({ bytes }) => guess(bytes))
    return { ...since(before, ownTime()), guessed }
  }).slice(1)
  const work = rounds.map(({ guessed }): Work => ({ texts: guessed.length }))
  const right = texts.filter((text, place) => isRight(text, rounds[0]!.guessed[place])).length
  return {
    name,
    right,
    work,
    value: (median(rounds.map(({ seconds }) => seconds)) * 1e6) / texts.length,
    cpuSeconds: median(rounds.map(({ cpuSeconds }) => cpuSeconds)) / texts.length,
  }
}

const texts = textsOf(folder)
if (texts.length === 0)
  endWith(import.meta.filename, `${folder} has no folder that is called as a charset is, with texts in it`)
const ours = sideOf(texts, { name: 'ours', guess: guessCharset })
const peers = peersThere().map((peer) => sideOf(texts, peer))
for (const { name, right } of [ours, ...peers])
  console.log(
    `${name}: ${formatCount(right)} of ${formatCount(texts.length)} right, ${((100 * right) / texts.length).toFixed(2)} %`,
  )
const what = `a guess, ${formatCount(texts.length)} texts`
if (peers.length === 0) printFigure(what, 'µs a text', ours)
for (const peer of peers) printRatio({ what, unit: 'µs a text', better: 'less', ours, peer })
