/** Setting bounds: settings as somebody gave them, filled up with defaults and held to what makes sense. */

/** A setting by name, from the least to the most that it may be. */
export type Bound<Settings> = readonly [key: keyof Settings & string, least: number, most: number]

export interface Bounds<Settings> {
  readonly whole: readonly Bound<Settings>[]
  readonly amounts: readonly Bound<Settings>[]
}

/** Throws a RangeError that says what to change. What is no number is the caller's to check. */
export function settingsWithin<Settings extends object>(
  given: Partial<Settings>,
  defaults: Settings,
  { whole, amounts }: Bounds<Settings>,
): Settings {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(defaults, key))
  if (unknown !== undefined)
    throw new RangeError(`there is no setting ${unknown}; it has ${Object.keys(defaults).join(', ')}`)
  const settings = { ...defaults, ...given }
  for (const [key, least, most] of whole)
    if (!Number.isSafeInteger(settings[key]))
      throw new RangeError(`${key} is ${String(settings[key])}; give a whole number from ${least} to ${most}`)
  for (const [key, least, most] of [...whole, ...amounts]) {
    const value = Number(settings[key])
    if (!(value >= least && value <= most)) throw new RangeError(`${key} is ${value}; give ${least} to ${most}`)
  }
  return settings
}
