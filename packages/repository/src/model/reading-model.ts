/** From what a survey found and a collection keeps to what the page about reading shows. */
import type { Collection } from '@comity/collection'
import { gatewayRows } from '@comity/ingest'
import { readingFact } from '@comity/search'
import type { Instant } from '@comity/protocol'
import type { GatewayModel, ReadingModel, ReadPageModel } from './models.ts'
import { nameOf } from './page-description.ts'
import type { ReadingSurveyed, ReadPageRow } from '../ports.ts'
import { programsView } from '@comity/receiver'

/** `programs`: path of the file that says which programs gateways are to run. */
export function readingModel(
  collection: Collection,
  surveyed: ReadingSurveyed,
  now: Instant,
  programs?: string,
): ReadingModel {
  const { recent, unfound, ...counts } = surveyed
  const gateways: GatewayModel[] = []
  for (const [name, row] of Object.entries(gatewayRows(collection))) gateways.push({ name, ...row })
  return {
    now,
    gateways,
    hours: readingFact(collection)?.hours ?? [],
    recent: named(collection, recent),
    unfound: named(collection, unfound),
    ...counts,
    programs: programs === undefined ? undefined : programsView(programs),
  }
}

function named(collection: Collection, rows: readonly ReadPageRow[]): ReadPageModel[] {
  return rows.flatMap(({ page, people, robots, lastAt }) => {
    const { key, url, title } = nameOf(collection, page)
    // What was forgotten since has no URL.
    return url === '' ? [] : [{ key, url, title, people, robots, lastAt }]
  })
}
