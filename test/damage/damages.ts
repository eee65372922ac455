/** Damages: what disks, copies and hands do to a file, at places that a seed names, and how to take each back. */
import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom } from '../../packages/index/src/testing/sample-index.ts'

export interface Damage {
  /** Below the collection. */
  readonly file: string
  readonly offset: number
  /** What stands there instead, in base64; nothing cuts the file off there. */
  readonly bytes: string
}

type Random = () => number

const noise = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))

/** How many bytes go wrong, and what they become. */
const KINDS: readonly ((random: Random) => Buffer)[] = [
  (random) => noise(random, 1),
  (random) => noise(random, 8),
  (random) => noise(random, 64),
  (random) => noise(random, 4_096),
  (random) => noise(random, 30_000),
  () => Buffer.alloc(512),
  () => Buffer.alloc(4_096, 0xff),
  () => Buffer.alloc(0),
]

/** So many damages to one file, no two of one seed alike; never longer than the file. */
export function damagesOf(dir: string, file: string, count: number, seed: number): Damage[] {
  const { size } = statSync(join(dir, file))
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, i) => {
    const offset = Math.floor(random() * size)
    const bytes = KINDS[(i + seed) % KINDS.length]!(random)
    return { file, offset, bytes: bytes.subarray(0, size - offset).toString('base64') }
  })
}

/** Does it, and returns what undoes it. */
export function inflict(dir: string, { file, offset, bytes }: Damage): () => void {
  const path = join(dir, file)
  const before = readFileSync(path)
  const fd = openSync(path, 'r+')
  try {
    if (bytes === '') ftruncateSync(fd, offset)
    else writeSync(fd, Buffer.from(bytes, 'base64'), 0, undefined, offset)
  } finally {
    closeSync(fd)
  }
  return () => writeFileSync(path, before)
}
