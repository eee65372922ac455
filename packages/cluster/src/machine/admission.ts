/**
 * Admission: who a machine is, the same in every life of its folder, and whether it may join: nobody else is it already, and its clock
 * is that of the others.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isText, isRecordOf } from '@comity/collection'
import { writeDurably } from '@comity/disk'
import { clusterError } from '../errors.ts'
import type { Road } from '../road/road.ts'
import { readMachines } from '../settings.ts'
import { machinePlace } from './whole-records.ts'

/** Clocks of two machines may differ by so much. */
const MAX_SKEW_MS = 2_000
const ANSWER_MS = 2_000

const isMachine = isRecordOf({ id: isText, cluster: isText })

/** The same in every life of this folder. */
export function machineId(into: string, cluster: string): string {
  const path = join(into, 'machine.json')
  if (existsSync(path)) {
    const held: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isMachine(held) && (held as { cluster: string }).cluster === cluster) return (held as { id: string }).id
    throw clusterError(
      'MACHINE_FOLDER',
      `${into} belongs to another cluster than ${cluster}: a machine has a folder for each.`,
    )
  }
  const id = `${hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .slice(0, 30)}-${randomUUID().slice(0, 8)}`
  writeDurably(path, `${JSON.stringify({ id, cluster })}\n`)
  return id
}

/** Instants on disk are a machine's own: another one that goes on with them must mean nearly the same. */
export async function requireAdmission(road: Road, id: string): Promise<void> {
  if ((await road.ask(machinePlace(id), {}, ANSWER_MS).catch(() => undefined)) !== undefined)
    throw clusterError(
      'MACHINE_FOLDER',
      `Another process is machine ${id} already: a copy of its folder, perhaps. A machine has a folder of its own; remove machine.json from a copy.`,
    )
  const { ids } = await readMachines(road.register)
  for (const other of ids.filter((one) => one !== id)) {
    const askedAt = Date.now()
    const answer = await road.ask(machinePlace(other), {}, ANSWER_MS).catch(() => undefined)
    if (typeof answer?.['at'] !== 'number') continue
    const tookMs = Date.now() - askedAt
    const skewMs = Math.abs(answer['at'] - (askedAt + tookMs / 2)) - tookMs / 2
    if (skewMs > MAX_SKEW_MS)
      throw clusterError(
        'CLUSTER_SKEWED',
        `The clock here and that of machine ${other} differ by ${(skewMs / 1000).toFixed(1)} s: set both by NTP, then join again.`,
      )
  }
}
