/** JSON from strangers: an object or nothing, and fields that have the kind they should have or are not there. */
import { ownValue } from '../lookup.ts'

const MAX_TEXT = 4_096

export type JsonObject = Readonly<Record<string, unknown>>

export function parsedJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    // Not JSON: the caller counts it.
    return undefined
  }
}

/** A text of moderate length. */
export function textField(json: JsonObject | undefined, name: string): string | undefined {
  const value = ownValue(json, name)
  return typeof value === 'string' && value.length <= MAX_TEXT ? value : undefined
}

/** A whole number from 0 on. */
export function wholeField(json: JsonObject | undefined, name: string): number | undefined {
  const value = ownValue(json, name)
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

/** A share, from 0 to 1. */
export function shareField(json: JsonObject | undefined, name: string): number | undefined {
  const value = ownValue(json, name)
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined
}

export function textsField(json: JsonObject | undefined, name: string, max: number): readonly string[] | undefined {
  const value = ownValue(json, name)
  if (!Array.isArray(value) || value.length > max) return undefined
  const texts = value.filter((entry): entry is string => typeof entry === 'string' && entry.length <= MAX_TEXT)
  return texts.length === value.length ? texts : undefined
}
