/** Errors of the collection: what happened, to what, what to do. Codes are stable; `docs/errors.md` lists them all. */
import { statSync } from 'node:fs'
import { messageOf, textOf } from '@comity/protocol'
import { LINK_MARK } from '@comity/disk'
import type { DiskRoom } from './warc/disk-room.ts'

export type CollectionErrorCode =
  | 'CHANGE_UNKNOWN'
  | 'COLLECTION_HELD'
  | 'COLLECTION_READ_HERE'
  | 'COLLECTION_FORMAT'
  | 'COLLECTION_MISSING'
  | 'COLLECTION_NUMBERS'
  | 'COLLECTION_DAMAGED'
  | 'COLLECTION_LINKED'
  | 'DISK_FULL'
  | 'NOT_A_COLLECTION'
  | 'INBOX_FORMAT'
  | 'INBOX_UNWRITABLE'
  | 'SUBSCRIPTIONS_DAMAGED'
  | 'URL_RULES_OTHER'

export class CollectionError extends Error {
  override readonly name: string = 'CollectionError'
  readonly code: CollectionErrorCode
  constructor(code: CollectionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const changeUnknown = (dir: string, since: number, last: number): CollectionError =>
  new CollectionError(
    'CHANGE_UNKNOWN',
    `${dir} was followed up to change ${since}, and its last one is ${last}: it is another collection, or an older copy of that one. ` +
      'Follow it from 0, and make anew what was made of the other.',
  )

export const collectionHeld = (dir: string, holder: string, lock: string): CollectionError =>
  new CollectionError(
    'COLLECTION_HELD',
    `${dir} is being written by ${holder}. One process writes a collection at a time: wait for it, stop it, ` +
      `or crawl into another directory. If that machine or container is gone for good, delete ${lock}.`,
  )

export const collectionReadHere = (dir: string): CollectionError =>
  new CollectionError(
    'COLLECTION_READ_HERE',
    `${dir} is open to read in this process, and LMDB opens a file once for a process. Close what reads it, or open it for ` +
      'writing first: readers that come after a writer, and those in other processes, hold up nobody.',
  )

export const collectionFormat = (dir: string, found: unknown, known: number): CollectionError =>
  new CollectionError(
    'COLLECTION_FORMAT',
    `${dir} has format ${textOf(found)}; this comity writes and reads format ${known}. ` +
      'Use the version of comity that made it, or crawl into a new directory.',
  )

export const urlRulesFormat = (dir: string, found: number, known: number): CollectionError =>
  new CollectionError(
    'COLLECTION_FORMAT',
    `${dir} knows its pages by URL rules of version ${found}; this comity knows those up to ${known}. ` +
      'Use the version of comity that made it, or crawl into a new directory.',
  )

export const urlRulesOther = (dir: string, site: string): CollectionError =>
  new CollectionError(
    'URL_RULES_OTHER',
    `${dir} knows the pages of ${site} by other URL settings than this run has, and one page would become two, or two one. ` +
      'Leave the URL settings out, or as they were, to go on with its own (`comity inspect` tells them); or crawl into a new directory. ' +
      `\`comity import ${dir}/warc/*.warc.gz --into NEW --config FILE\` takes along what was fetched.`,
  )

export const collectionMissing = (dir: string): CollectionError =>
  new CollectionError(
    'COLLECTION_MISSING',
    statSync(dir, { throwIfNoEntry: false })?.isFile() === true
      ? `${dir} is a file, and no collection: name the folder that \`comity crawl SEED --into DIR\` makes.`
      : `There is no collection at ${dir}. \`comity crawl SEED --into ${dir}\` makes one.`,
  )

export const collectionNumbers = (path: string, cause: unknown): CollectionError =>
  new CollectionError(
    'COLLECTION_NUMBERS',
    `${path} is open in another process that has the number of this one, ${process.pid}: the two run in different containers, where each ` +
      'counts its processes from 1. Let them share their process numbers (`pid: "service:NAME"` in compose, `shareProcessNamespace: true` ' +
      'in a pod), or run both in one container.',
    { cause },
  )

export const notACollection = (dir: string): CollectionError =>
  new CollectionError(
    'NOT_A_COLLECTION',
    `${dir} exists, is not empty and holds no collection.json. Name an empty or new directory, so that nothing of yours ` +
      'is mixed with a crawl.',
  )

export const collectionDamaged = (what: string, cause?: unknown): CollectionError =>
  new CollectionError(
    'COLLECTION_DAMAGED',
    `${what} \`comity repair\` keeps what can be read and makes the rest again from the archive; or restore a copy.`,
    {
      cause,
    },
  )

export const collectionLinked = (dir: string, path: string, target: string | undefined): CollectionError =>
  new CollectionError(
    'COLLECTION_LINKED',
    target === undefined
      ? `${path} is a link that leads nowhere: make the folder that it should lead to, or remove the link.`
      : `${path} is a link to ${target}, where nothing says that it is for this collection, so nothing is written. If you made ` +
          `the link, put a file called ${LINK_MARK} there with one line: ${dir}. If the collection came from somebody else, ` +
          'remove the link: what it leads to may be yours.',
  )

export const collectionShared = (path: string): CollectionError =>
  new CollectionError(
    'COLLECTION_LINKED',
    `${path} has another name somewhere, as hard links do, and would change there too, so nothing is written. Copy the ` +
      'directory, with `cp -r` say, and name the copy.',
  )

export const diskFull = (dir: string, cause?: unknown, room?: DiskRoom): CollectionError =>
  new CollectionError(
    'DISK_FULL',
    `The disk that holds ${dir} is full${room === undefined ? '' : leftWords(room)}. Everything acknowledged so far is safe; make ` +
      'room and run the same command again to go on.',
    { cause },
  )

const leftWords = ({ free, reserve }: DiskRoom): string =>
  `: ${megabytes(free)} MB are free, of which ${megabytes(reserve)} MB are kept so that the last commit fits`

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

export const inboxFormat = (path: string, found: string, known: number): CollectionError =>
  new CollectionError(
    'INBOX_FORMAT',
    `${path} has format ${found}; this comity writes and reads format ${known}. Use the version of comity that made it, ` +
      'or move the folder away: what sites sent and nobody has read yet goes with it.',
  )

export const inboxUnwritable = (dir: string, cause: unknown): CollectionError =>
  new CollectionError(
    'INBOX_UNWRITABLE',
    `${dir} cannot be written: ${messageOf(cause)}. Nothing was accepted that is not ` +
      'there; mend the disk or the permissions and start again.',
    { cause },
  )

export const subscriptionsDamaged = (path: string, what: string, cause?: unknown): CollectionError =>
  new CollectionError(
    'SUBSCRIPTIONS_DAMAGED',
    `${path} ${what}. Restore it from a copy, or move it away: sites are subscribed to again then, and the old ` +
      'subscriptions end by themselves.',
    { cause },
  )
