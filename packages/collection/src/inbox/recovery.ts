/**
 * Inbox recovery: from the files of an inbox to what waits in it. Cuts what a crash tore off, removes what nobody refers
 * to, puts aside what cannot be read at all, and finds the number that comes next. Never gives a number twice: of a segment
 * whose header is lost it assumes as many items as it could hold.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { syncPath } from '@comity/disk'
import { MIN_FRAME } from './record.ts'
import { bodyPath, InboxSegmentFile, segmentPath } from './inbox-segment.ts'
import { SPOOL_NAME } from '../warc/spool-file.ts'

export interface RecoveredInbox {
  readonly segments: InboxSegmentFile[]
  readonly next: number
  readonly cutBytes: number
  readonly lostBytes: number
}

const SEGMENT_NAME = /^segment-(\d{12,16})\.log$/
const DAMAGED_NAME = /^segment-\d{12,16}\.log\.damaged$/
const DRAFT_NAME = /\.(?:log|bin)\.new$/
const BODY_NAME = /^body-(\d{12,16})\.bin$/

/** Call with the lock held. Numbers go on behind `after`, whatever the folder holds. */
export function recoverInbox(folder: string, after: number): RecoveredInbox {
  const names = readdirSync(folder).toSorted()
  for (const name of names) if (SPOOL_NAME.test(name) || DRAFT_NAME.test(name)) rmSync(join(folder, name))
  const segments: InboxSegmentFile[] = []
  let [next, cutBytes, lostBytes] = [after + 1, 0, 0]
  const firsts = names.flatMap((name) => SEGMENT_NAME.exec(name)?.[1] ?? []).map(Number)
  for (const first of firsts.toSorted((a, b) => a - b)) {
    const found = recoverSegment(folder, first)
    next = Math.max(next, found.next)
    cutBytes += found.cutBytes
    lostBytes += found.lostBytes
    if (found.segment !== undefined) segments.push(found.segment)
  }
  lostBytes += removeOrphans(folder, names, segments, after)
  syncPath(folder)
  return { segments, next, cutBytes, lostBytes }
}

/** What was put aside as nothing in it could be read. Gives how many files there were. */
export function removeDamaged(folder: string): number {
  const damaged = readdirSync(folder).filter((name) => DAMAGED_NAME.test(name))
  for (const name of damaged) rmSync(join(folder, name))
  return damaged.length
}

interface RecoveredSegment extends Omit<RecoveredInbox, 'segments'> {
  readonly segment?: InboxSegmentFile | undefined
}

/** Only the newest can be torn, but damage at the end of an older one looks the same and is cut too. */
function recoverSegment(folder: string, first: number): RecoveredSegment {
  const opened = InboxSegmentFile.open(folder, first)
  if ('damagedBytes' in opened) {
    const path = segmentPath(folder, first)
    renameSync(path, `${path}.damaged`)
    const lost = Math.ceil(opened.damagedBytes / MIN_FRAME)
    return { next: first + lost, cutBytes: 0, lostBytes: opened.damagedBytes }
  }
  const { segment, cutBytes, lostBytes } = opened
  // Lost records at the end had numbers that somebody may have read: none of them is given again.
  return { segment, next: segment.last + 1 + Math.ceil(cutBytes / MIN_FRAME), cutBytes, lostBytes }
}

/** Bodies that no record names. A body that is gone or cut, though its record still waits, is lost. */
function removeOrphans(
  folder: string,
  names: readonly string[],
  segments: readonly InboxSegmentFile[],
  after: number,
): number {
  const named = new Map(segments.flatMap(({ bodies }) => [...bodies]))
  for (const name of names) {
    const number = Number(BODY_NAME.exec(name)?.[1] ?? Number.NaN)
    if (!Number.isNaN(number) && !named.has(number)) rmSync(join(folder, name))
  }
  let lost = 0
  for (const [number, bytes] of named) {
    const path = bodyPath(folder, number)
    if (number <= after) continue
    if (!existsSync(path) || statSync(path).size !== bytes) lost += bytes
  }
  return lost
}
