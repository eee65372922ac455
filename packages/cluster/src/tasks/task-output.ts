/** What a task on a shard prints, for who had it begun: on whichever machine the shard is. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCount, isFlag, isMaybe, isRecordOf, isText } from '@comity/collection'
import { clusterError } from '../errors.ts'
import type { Message, Road } from '../road/road.ts'
import { workPlace } from './shard-tasks.ts'

/** How it ended. */
export interface TaskEnd {
  readonly code: number
  /** The last that it said on stderr. */
  readonly said: string
}

interface Piece extends Partial<TaskEnd> {
  readonly text: string
  readonly isOver: boolean
}

const ANSWER_MS = 5_000
const TRIES = 4
/** All processes of a machine may be at work for others. */
const BUSY_MS = 60_000
const BUSY_LOOK_MS = 250

const isPiece = isRecordOf({ n: isCount, text: isText, isOver: isFlag, code: isMaybe(isCount), said: isMaybe(isText) })

/** Piece by piece; returns how it ended. Throws where nobody has the shard, or where it has moved meanwhile. */
export async function* taskOutput(road: Road, shard: number, task: Message): AsyncGenerator<string, TaskEnd> {
  const token = randomUUID()
  await begin(road, shard, token, task)
  try {
    for (let n = 1; ; n++) {
      const piece = await asked(road, shard, { kind: 'next', token, n })
      if (!isPiece(piece))
        throw clusterError(
          'CLUSTER_UNREACHABLE',
          `Shard ${shard} has another owner than before, or nobody asked for a minute: do it again.`,
        )
      const { text, isOver, code = 0, said = '' } = piece as unknown as Piece
      if (text !== '') yield text
      if (isOver) return { code, said }
    }
  } finally {
    void road.ask(workPlace(shard), { kind: 'end', token }, ANSWER_MS).catch(() => undefined)
  }
}

async function begin(road: Road, shard: number, token: string, task: Message): Promise<void> {
  for (const since = performance.now(); ; await sleep(BUSY_LOOK_MS)) {
    const answer = await asked(road, shard, { kind: 'begin', token, task })
    if (answer['begun'] === true) return
    if (answer['busy'] !== true || performance.now() - since > BUSY_MS)
      throw clusterError(
        'CLUSTER_UNREACHABLE',
        answer['busy'] === true
          ? `The machine with shard ${shard} is at work for others: do it again later.`
          : `The machine with shard ${shard} does not know this task: its comity is older.`,
      )
  }
}

async function asked(road: Road, shard: number, message: Message): Promise<Message> {
  let last: unknown
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await road.ask(workPlace(shard), message, ANSWER_MS)
    } catch (error) {
      last = error
      await sleep(BUSY_LOOK_MS)
    }
  }
  throw clusterError(
    'CLUSTER_UNREACHABLE',
    `Shard ${shard} is away: no machine answers for it. comity cluster status shows who had it.`,
    last,
  )
}
