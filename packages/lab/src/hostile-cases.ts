/** Hostile cases: all of them, in the order in which a visit meets them. Each part has its own table. */
import type { HostileCase } from './hostile-case.ts'
import { codingCases } from './hostile-codings.ts'
import { connectionCases } from './hostile-connections.ts'
import { documentCases } from './hostile-documents.ts'
import { framingCases } from './hostile-framing.ts'
import { headCases } from './hostile-heads.ts'
import { redirectCases } from './hostile-redirects.ts'
import { robotsCases } from './hostile-robots.ts'
import { statusCases } from './hostile-statuses.ts'
import { trapCases } from './hostile-traps.ts'

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
