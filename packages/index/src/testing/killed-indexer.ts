/**
 * A process for the crash test to kill: it indexes and merges without end in the folder named on its command line and
 * says after each commit how far it is. What it has put by then follows from that number, so anybody can check it.
 */
import { IndexWriter } from '../write/index-writer.ts'
import { samplePage } from './sample-pages.ts'

/** Pages; each is put again and again, with other words. */
export const PAGES = 97
const MAX_A_COMMIT = 20

/** Step n of the source puts page n % PAGES, or removes it. */
export const isRemoval = (step: number): boolean => step % 11 === 3
export const wordOf = (step: number): string => `w${step}`

/** Small merges, and often. */
const choose = (segments: readonly unknown[]): number[] => (segments.length < 3 ? [] : [...segments.keys()].slice(0, 3))

function fill(dir: string): never {
  const writer = new IndexWriter(dir)
  let merge = writer.merge(choose)
  process.stdout.write(`open ${writer.position}\n`)
  for (let step = writer.position, round = 0; ; round++) {
    for (let i = 0; i <= (step * 7 + round) % MAX_A_COMMIT; i++, step++) {
      if (isRemoval(step)) writer.remove(step % PAGES)
      else writer.put(samplePage(step % PAGES, `${wordOf(step)} ${'filling '.repeat(step % 50)}`))
      if (merge.next().done === true) merge = writer.merge(choose)
    }
    writer.commit(step)
    process.stdout.write(`committed ${step}\n`)
  }
}

if (import.meta.main) fill(process.argv[2] ?? '')
