/** Folders of shards on a machine, and of which owner each is: only the last one's own disk is newer than any copy. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isCount, isRecordOf } from '@comity/collection'
import { writeDurably } from '@comity/disk'

const MARK = '.json'
const isMark = isRecordOf({ epoch: isCount })

/** The shard was taken: when this machine was the one that had it last, what is here goes on. */
export function carryMark(machineDir: string, shard: number, epoch: number): void {
  const dir = shardDir(machineDir, shard)
  if (markIn(dir) === epoch - 1) writeMark(dir, epoch)
}

export const shardDir = (machineDir: string, shard: number): string => join(machineDir, `shard-${shard}`)

export const writeMark = (dir: string, epoch: number): void =>
  writeDurably(dir + MARK, `${JSON.stringify({ epoch })}\n`)

export function markIn(dir: string): number | undefined {
  const path = dir + MARK
  if (!existsSync(path)) return undefined
  try {
    const mark: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isMark(mark) ? (mark as { epoch: number }).epoch : undefined
  } catch {
    return undefined
  }
}
