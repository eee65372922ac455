/** What gateways and repositories agree on about programs: where they are fetched, and how their faults are told. */

/** Below the address of a receiver; the name of a program follows. */
export const PROGRAMS_PATH = '/programs/'

/** Figures of a batch are numbers under short names: a version is known by how its digest begins. */
const FAULT = 'program-fault-'
const DIGITS = 12

export const faultFigure = (digest: string): string => `${FAULT}${digest.replace(/^sha-256:/, '').slice(0, DIGITS)}`

export const isFaultFigure = (figure: string): boolean => figure.startsWith(FAULT)

/** The faults among the figures of a batch: by how the digest begins. */
export function gatewayFaultsOf(figures: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  const named = Object.entries(figures).filter(([name]) => isFaultFigure(name))
  return new Map(named.map(([name, times]) => [`sha-256:${name.slice(FAULT.length)}`, times]))
}
