/**
 * Fuzz: mutate good samples and read them, for a while. What is found can be repeated by its seed.
 *
 *   npm run fuzz                                    a minute for each target
 *   COMITY_FUZZ_MS=600000 COMITY_SEED=7 npm run fuzz url html
 */
import { createRandom, seedOf } from '@comity/lab'
import { fuzzTargets } from './fuzz-targets.ts'
import type { FuzzTarget } from './fuzz-targets.ts'
import { mutated } from './mutation.ts'

/** No 64 kilobytes may take longer to read than this, on the slowest machine that we test on. */
const SLOW_MS = 5_000

export interface Find {
  readonly seed: number
  readonly input: Buffer
  readonly error: Error
}

export interface FuzzResult {
  readonly runs: number
  readonly find?: Find
}

/** Read mutations of the target's samples until the time is up or something breaks. */
export function fuzz(target: FuzzTarget, budgetMs: number, seed: number): FuzzResult {
  const samples = target.samples.map((sample) => Buffer.from(sample))
  const until = performance.now() + budgetMs
  let runs = 0
  for (; runs === 0 || performance.now() < until; runs++) {
    const one = seedOf(seed, target.name, runs)
    const random = createRandom(one)
    const input = mutated(random.pick(samples), target.words, random)
    const error = failureOf(target, input)
    if (error !== undefined) return { runs, find: { seed: one, input, error } }
  }
  return { runs }
}

function failureOf(target: FuzzTarget, input: Buffer): Error | undefined {
  const began = performance.now()
  try {
    target.check(input)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
  const tookMs = performance.now() - began
  return tookMs > SLOW_MS ? new Error(`reading ${input.length} bytes took ${Math.round(tookMs)} ms`) : undefined
}

if (import.meta.main) {
  const budgetMs = Number(process.env['COMITY_FUZZ_MS'] ?? 60_000)
  const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)
  const wanted = process.argv.slice(2)
  for (const target of fuzzTargets.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const { runs, find } = fuzz(target, budgetMs, seed)
    console.log(
      `${target.name.padEnd(10)} ${String(runs).padStart(9)} inputs, seed ${seed}${find === undefined ? '' : ': FOUND'}`,
    )
    if (find === undefined) continue
    console.log(`${find.error.stack}\ninput (base64): ${find.input.toString('base64')}`)
    process.exitCode = 1
  }
}
