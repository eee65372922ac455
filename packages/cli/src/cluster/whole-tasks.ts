/** Whole tasks: a command on all shards of a cluster, each run by the machine that has it. */
import { taskOutput } from '@comity/cluster'
import type { ClusterSettings, Message, Road, TaskEnd } from '@comity/cluster'
import { NotThere, UsageError } from '../usage-error.ts'

export interface Whole {
  readonly road: Road
  readonly settings: ClusterSettings
}

/** Shards that are asked at once. */
const AT_ONCE = 6
const WRONG_USE = 2

export const shardsOf = ({ settings }: Whole): readonly number[] =>
  Array.from({ length: settings.shards }, (_, shard) => shard)

/** The one line of JSON that the task prints on each of these shards; what one fails at is thrown here in its words. */
export async function jsonOfShards<Told>(
  whole: Whole,
  shards: readonly number[],
  task: Message,
  onShard: (told: Told, shard: number) => void = () => undefined,
): Promise<Told[]> {
  const told: Told[] = []
  const left = [...shards.entries()]
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, shard] = next
      told[at] = await jsonOfShard<Told>(whole, shard, task)
      onShard(told[at], shard)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return told
}

export async function jsonOfShard<Told>(whole: Whole, shard: number, task: Message): Promise<Told> {
  let text = ''
  const end = await eachPiece(taskOutput(whole.road, shard, task), (piece) => void (text += piece))
  requireDone(shard, end)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a command of ours printed it.
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as Told
}

/** All pieces one after the other, as fast as `take` takes them. */
async function eachPiece(
  output: AsyncGenerator<string, TaskEnd>,
  take: (text: string) => Promise<void> | void,
): Promise<TaskEnd> {
  for (;;) {
    const piece = await output.next()
    if (piece.done === true) return piece.value
    await take(piece.value)
  }
}

export function requireDone(shard: number, { code, said }: TaskEnd): void {
  if (code === 0) return
  const why = said.trim().replace(/^comity[\w ]*: /, '')
  if (code === WRONG_USE) throw new UsageError(why)
  throw new NotThere(`Shard ${shard}: ${why === '' ? `its command ended with ${code}` : why}`)
}
