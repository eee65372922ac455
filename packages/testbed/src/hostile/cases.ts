/** Hostile cases: all of them, in the order in which a visit meets them. Each part has its own table. */
import type { HostileCase } from './case.ts'
import { codingCases } from './codings.ts'
import { connectionCases } from './connections.ts'
import { documentCases } from './documents.ts'
import { framingCases } from './framing.ts'
import { headCases } from './heads.ts'
import { redirectCases } from './redirects.ts'
import { robotsCases } from './robots.ts'
import { statusCases } from './statuses.ts'
import { trapCases } from './traps.ts'

export const hostileCases: readonly HostileCase[] = [
  ...connectionCases,
  ...robotsCases,
  ...headCases,
  ...statusCases,
  ...redirectCases,
  ...framingCases,
  ...codingCases,
  ...documentCases,
  ...trapCases,
]

/** The case of that name. Throws for a name that is in no table: that is a misspelt test. */
export function hostileCase(name: string): HostileCase {
  const found = hostileCases.find((one) => one.name === name)
  if (found === undefined) throw new RangeError(`there is no hostile case "${name}"; the names are in hostile-cases.ts`)
  return found
}
