/**
 * Folders of shards on a machine, and what is known of each beside it: of which owner it is, as only the last one's own disk is newer
 * than any copy, whether its clocks were another machine's, and what was taken out of it by `comity forget`.
 *
 *   INTO/shard-N/             a collection
 *   INTO/shard-N.json         its mark
 *   INTO/shard-N.before-E/    what was here when another machine had had it since
 */
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { isCount, isFlag, isListOf, isMaybe, isRecordOf, isText } from '@comity/collection'
import { writeDurably } from '@comity/disk'
import type { FolderVault } from '../vault/folder-vault.ts'

interface FolderMark {
  readonly epoch: number
  /** Its instants are another machine's, and no crawl has opened it since. */
  readonly isMoved?: boolean | undefined
  /** What was forgotten here, by the numbers that it was given. */
  readonly forgotten?: readonly string[] | undefined
}

const MARK = '.json'
const isMark = isRecordOf({ epoch: isCount, isMoved: isMaybe(isFlag), forgotten: isMaybe(isListOf(isText)) })

/** The shard was taken: when this machine was the one that had it last, what is here goes on. */
export function carryMark(machineDir: string, shard: number, epoch: number): void {
  const dir = shardDir(machineDir, shard)
  const mark = markOf(dir)
  if (mark?.epoch === epoch - 1) writeMark(dir, { ...mark, epoch })
}

export const shardDir = (machineDir: string, shard: number): string => join(machineDir, `shard-${shard}`)

export const hasCollection = (dir: string): boolean => existsSync(join(dir, 'collection.json'))

export const writeMark = (dir: string, mark: FolderMark): void => writeDurably(dir + MARK, `${JSON.stringify(mark)}\n`)

/** Whose it was last. */
export const markIn = (dir: string): number | undefined => markOf(dir)?.epoch

export function markOf(dir: string): FolderMark | undefined {
  const path = dir + MARK
  if (!existsSync(path)) return undefined
  try {
    const mark: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isMark(mark) ? (mark as FolderMark) : undefined
  } catch {
    return undefined
  }
}

interface PreparedShard {
  readonly machineDir: string
  readonly shard: number
  readonly epoch: number
  readonly vault: FolderVault
  readonly say: (sentence: string) => void
}

/** The collection: what is here, where this machine was its last owner; else the vault's newest copy, or nothing. */
export async function prepareShard({ machineDir, shard, epoch, vault, say }: PreparedShard): Promise<void> {
  const dir = shardDir(machineDir, shard)
  if (markIn(dir) === epoch && hasCollection(dir)) return
  if (existsSync(dir)) {
    const aside = `${dir}.before-${epoch}`
    const mark = markOf(dir)
    if (mark !== undefined) writeMark(aside, mark)
    renameSync(dir, aside)
    say(`shard ${shard}: another machine had it since; what was here is in ${aside}`)
  }
  const copy = await vault.restore(shard, dir)
  writeMark(dir, { epoch, isMoved: true, forgotten: copy?.forgotten })
  say(copy === undefined ? `shard ${shard}: begins` : `shard ${shard}: goes on from its copy in the vault`)
}

/** Collections on this machine, of shards that are its own and of those that were. */
export const foldersOf = (machineDir: string): string[] =>
  readdirSync(machineDir)
    .filter((name) => /^shard-\d+(?:\.before-\d+)?$/.test(name))
    .map((name) => join(machineDir, name))
    .filter(hasCollection)
