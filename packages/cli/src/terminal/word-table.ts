/** `--idf FILE`: how often words stand in some reference collection, a line each: `word count`. */
import { readTextFile } from './list-source.ts'
import { UsageError } from '../usage-error.ts'

const MAX_WORDS = 5_000_000

/** The table; undefined when the flag names no file. */
export async function readWordCounts(source: string): Promise<ReadonlyMap<string, number> | undefined> {
  if (source === 'none' || source === 'crawled') return undefined
  const counts = new Map<string, number>()
  for (const [n, line] of (await readTextFile(source)).split('\n').entries()) {
    if (line.trim() === '') continue
    const [word, count] = line.trim().split(/\s+/)
    if (!(Number(count) > 0))
      throw new UsageError(`${source}, line ${n + 1}: write a word and how often it stands, such as "the 5012".`)
    if (counts.size >= MAX_WORDS) throw new UsageError(`${source} has more than ${MAX_WORDS} words.`)
    counts.set(word!.toLowerCase(), Number(count))
  }
  return counts
}
