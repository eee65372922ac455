/** Forget in WARC records: which of a file go, which change. */
import { join } from 'node:path'
import {
  ownValue,
  payloadDigest,
  readRecordAt,
  resourceTypeOf,
  warcField,
  warcMessage,
  warcTarget,
  warcType,
} from '@comity/protocol'
import type { HeaderList, WarcRecord } from '@comity/protocol'
import type { Holdings } from '../collection.ts'
import { collectionDamaged } from '../errors.ts'
import { placeKey } from './plan.ts'
import type { ForgetPlan, Heir } from './plan.ts'
import type { WarcPosition } from '../rows/rows.ts'
import { readMember, warcPath } from '../warc/warc-store.ts'
import type { WarcEdit } from '../warc/warc-rewrite.ts'

/** What becomes of each record of a file that is rewritten under a new name. */
export function editFor(plan: ForgetPlan, { dir, warc }: Holdings, file: number, name: string): WarcEdit {
  const bodyAt = (position: WarcPosition): Uint8Array => {
    const path = warcPath(join(dir, 'warc'), warc.names, position.file)
    const item = readRecordAt(readMember(path, position))
    if (item.kind !== 'record') throw collectionDamaged(`${path} at ${position.offset}: ${item.message}`)
    return warcMessage(item.record).body
  }
  return (record, offset) => {
    const target = warcTarget(record)
    if (target !== undefined && plan.leaves(target)) return undefined
    if (warcType(record) === 'warcinfo') return withFields(record, { 'WARC-Filename': name })
    const heir = plan.heirs.get(placeKey({ file, offset, length: 0 }))
    if (heir !== undefined) return asWhole(record, bodyAt(heir.body))
    const refersTo = warcField(record, 'WARC-Refers-To-Target-URI')
    if (refersTo === undefined || !plan.leaves(refersTo)) return record
    return withReference(record, plan.heirOf.get(warcField(record, 'WARC-Payload-Digest') ?? ''), plan.urlOf)
  }
}

/** The head of a revisit and the body it referred to: the response as it was, or the resource, which has no head. */
function asWhole(record: WarcRecord, body: Uint8Array): WarcRecord {
  const type = resourceTypeOf(record) === undefined ? 'response' : 'resource'
  const block = Buffer.concat([record.block, body])
  return withFields(
    { ...record, block },
    { ...NO_REFERENCE, 'WARC-Type': type, 'WARC-Block-Digest': payloadDigest(block) },
  )
}

function withReference(record: WarcRecord, heir: Heir | undefined, urlOf: (page: number) => string): WarcRecord {
  if (heir === undefined)
    return withFields(record, { 'WARC-Refers-To-Target-URI': undefined, 'WARC-Refers-To-Date': undefined })
  const date = new Date(heir.at).toISOString()
  return withFields(record, { 'WARC-Refers-To-Target-URI': urlOf(heir.page), 'WARC-Refers-To-Date': date })
}

/** What only a revisit has (WARC 1.1 §6.7). */
const NO_REFERENCE = {
  'WARC-Profile': undefined,
  'WARC-Refers-To': undefined,
  'WARC-Refers-To-Target-URI': undefined,
  'WARC-Refers-To-Date': undefined,
  'WARC-Truncated': undefined,
}

function withFields(record: WarcRecord, values: Readonly<Record<string, string | undefined>>): WarcRecord {
  const fields: HeaderList = record.fields.flatMap(([name, value]) => {
    const next = Object.hasOwn(values, name) ? ownValue(values, name) : value
    return next === undefined ? [] : [[name, next] as const]
  })
  return { ...record, fields }
}
