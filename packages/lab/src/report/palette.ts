/**
 * Report palette: which colour a series has, on light paper and on dark.
 *
 * The seven colours were searched for the largest least distance (0.12 in OKLab) between any two of them, as seen with
 * normal sight and with protanopia, deuteranopia and tritanopia (matrices of Machado et al., 2009), while each stands
 * out from its paper by 3 : 1 or more (WCAG 2.2 §1.4.11). Every line has its name beside it as well, and every second
 * round of colours is dashed: colour is never the only sign.
 */
import type { Figure } from './model.ts'

interface Ink {
  readonly light: string
  readonly dark: string
}

export const inks: readonly Ink[] = [
  { light: '#2d50ac', dark: '#3681fe' },
  { light: '#a74f30', dark: '#dc5700' },
  { light: '#2ea485', dark: '#68e8cd' },
  { light: '#6c3067', dark: '#ac69a1' },
  { light: '#b58504', dark: '#efd158' },
  { light: '#967ce6', dark: '#b3a2ec' },
  { light: '#8b0c05', dark: '#f2897b' },
]

/**
 * A slot for each series of each figure, by figure id. A name keeps the slot it first got; only where two names of one
 * figure would share a colour does the later one take the first that is free there.
 */
export function assignSlots(figures: readonly Figure[]): ReadonlyMap<string, readonly number[]> {
  const home = new Map<string, number>()
  const slots = new Map<string, readonly number[]>()
  for (const { id, series } of figures) {
    for (const { name } of series) if (!home.has(name)) home.set(name, home.size)
    const taken = new Set<number>()
    const own = series.map(({ name }) => {
      const wanted = (home.get(name) ?? 0) % inks.length
      const slot = taken.has(wanted) ? firstFree(taken) : wanted
      taken.add(slot)
      return slot
    })
    slots.set(id, own)
  }
  return slots
}

/** Slots from inks.length on are the same colours again, dashed. */
function firstFree(taken: ReadonlySet<number>): number {
  let slot = 0
  while (taken.has(slot)) slot += 1
  return slot
}

export const inkOf = (slot: number): string => `var(--ink-${slot % inks.length})`

export const isRepeat = (slot: number): boolean => Math.floor(slot / inks.length) % 2 === 1
