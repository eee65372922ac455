/**
 * Fuzz: mutate good samples and read them, for a while. What is found can be repeated by its seed.
 *
 *   npm run fuzz                                    ten seconds for each target
 *   npm run fuzz -- --seconds 60 url html           these two, for a minute each
 *   npm run fuzz -- --inputs 10000000 --seed 7      so many inputs over all targets, in turns
 *
 * Printed for each: inputs and how many a second, words of the dictionary that were tried, and the slowest input.
 */
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'
import { dictionary } from './fuzz/fuzz-dictionary.ts'
import { fuzzTargets } from './fuzz/fuzz-targets.ts'
import type { FuzzTarget } from './fuzz/fuzz-target.ts'
import { mutated } from './fuzz/mutation.ts'

/** No 64 kilobytes may take longer to read than this, on the slowest machine that we test on. */
const SLOW_MS = 5_000

export interface Find {
  readonly seed: number
  readonly input: Buffer
  readonly error: Error
}

export interface FuzzBudget {
  readonly ms?: number
  readonly inputs?: number
}

/** Inputs for one target, drawn from a seed: the same ones whenever it is asked for as many. */
export class Fuzzing {
  readonly target: FuzzTarget
  inputs = 0
  ms = 0
  slowestMs = 0
  slowestBytes = 0
  find: Find | undefined
  /** Words of the shared dictionary that went in, by number. */
  readonly tried: Set<number> = new Set()
  readonly #seed: number
  readonly #samples: readonly Buffer[]
  readonly #words: readonly Buffer[]

  constructor(target: FuzzTarget, seed: number) {
    this.target = target
    this.#seed = seed
    this.#samples = target.samples.map((sample) => Buffer.from(sample))
    this.#words = target.words.map((word) => Buffer.from(word))
  }

  /** Until the budget is used up or something breaks. */
  async run({ ms = Infinity, inputs = Infinity }: FuzzBudget): Promise<void> {
    const [begun, most] = [performance.now(), this.inputs + inputs]
    do await this.#one()
    while (this.find === undefined && this.inputs < most && performance.now() - begun < ms)
    this.ms += performance.now() - begun
  }

  async #one(): Promise<void> {
    const seed = seedOf(this.#seed, this.target.name, this.inputs)
    const random = createRandom(seed)
    const input = mutated(random.pick(this.#samples), () => this.#word(random), random)
    const error = await this.#failure(input)
    this.inputs++
    if (error !== undefined) this.find = { seed, input, error }
  }

  #word(random: Random): Buffer {
    if (random.chance(0.5)) return random.pick(this.#words)
    const number = random.int(dictionary.length)
    this.tried.add(number)
    return dictionary[number]!
  }

  async #failure(input: Buffer): Promise<Error | undefined> {
    const begun = performance.now()
    try {
      const working = this.target.check(input)
      if (working !== undefined) await working
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
    const ms = performance.now() - begun
    if (ms > this.slowestMs) [this.slowestMs, this.slowestBytes] = [ms, input.length]
    return ms > SLOW_MS ? new Error(`reading ${input.length} bytes took ${Math.round(ms)} ms`) : undefined
  }
}

export function fuzzLine({ target, inputs, ms, tried, slowestMs, slowestBytes, find }: Fuzzing): string {
  const rate = ms === 0 ? 0 : Math.round((1_000 * inputs) / ms)
  return [
    target.name.padEnd(12),
    `${inputs.toLocaleString('en-US').padStart(11)} inputs`,
    `${rate.toLocaleString('en-US').padStart(7)} a second`,
    `${tried.size} of ${dictionary.length} words`,
    `slowest ${slowestMs.toFixed(1)} ms for ${slowestBytes} bytes`,
    ...(find === undefined ? [] : ['FOUND']),
  ].join('  ')
}

const foundLine = ({ name }: FuzzTarget, { error, input }: Find): string =>
  `${name}: ${error.stack}\ninput (base64): ${input.toString('base64')}`

/** Whoever has seen enough interrupts it, and is told what was tried so far. */
const isEnough = (): boolean => interrupted
let interrupted = false

/** So many inputs over all, in turns, so that whoever looks on sees all of them at work. */
async function runTogether(all: readonly Fuzzing[], inputs: number): Promise<void> {
  let left = inputs
  for (let round = 1; left > 0 && !isEnough(); round++) {
    const open = all.filter(({ find }) => find === undefined)
    if (open.length === 0) return
    for (const one of open) {
      if (left <= 0 || isEnough()) return
      const before = one.inputs
      // All have the same time, and the quick ones more inputs.
      await one.run({ inputs: left, ms: 500 })
      left -= one.inputs - before
      if (one.find !== undefined) console.error(foundLine(one.target, one.find))
      // Most targets never wait for anything: an interrupt is heard only when somebody does.
      await setImmediate()
    }
    console.error(`round ${round}: ${(inputs - left).toLocaleString('en-US')} of ${inputs.toLocaleString('en-US')}`)
  }
}

function asked(): { values: { seconds?: string; inputs?: string; seed?: string }; positionals: string[] } {
  try {
    const text = { type: 'string' } as const
    const given = parseArgs({ allowPositionals: true, options: { seconds: text, inputs: text, seed: text } })
    const stranger = given.positionals.find((name) => fuzzTargets.every((target) => target.name !== name))
    if (stranger !== undefined) throw new Error(`there is no target ${stranger}`)
    const odd = Object.entries(given.values).find(([, value]) => !/^\d+$/u.test(value))
    if (odd !== undefined) throw new Error(`--${odd[0]} takes a number, not ${odd[1]}`)
    return given
  } catch (error) {
    const names = fuzzTargets.map(({ name }) => name).join(' ')
    console.error(
      `${(error as Error).message}\nnpm run fuzz -- [--seconds N | --inputs N] [--seed N] [TARGET …]\nTargets: ${names}`,
    )
    return process.exit(2)
  }
}

if (import.meta.main) {
  const { values, positionals } = asked()
  const seed = Number(values.seed ?? process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)
  const ms =
    values.seconds === undefined ? Number(process.env['COMITY_FUZZ_MS'] ?? 10_000) : 1_000 * Number(values.seconds)
  const chosen = fuzzTargets.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const all = chosen.map((target) => new Fuzzing(target, seed))
  console.log(`seed ${seed}, ${all.length} targets, ${dictionary.length} words in the dictionary`)
  process.once('SIGINT', () => (interrupted = true))
  if (values.inputs !== undefined) await runTogether(all, Number(values.inputs))
  else for (const one of all) if (!isEnough()) await one.run({ ms })
  for (const { target } of all) await target.close?.()
  for (const one of all) console.log(fuzzLine(one))
  const inputs = all.reduce((sum, one) => sum + one.inputs, 0)
  console.log(`all          ${inputs.toLocaleString('en-US').padStart(11)} inputs`)
  for (const { target, find } of all) {
    if (find === undefined) continue
    console.log(foundLine(target, find))
    process.exitCode = 1
  }
}
