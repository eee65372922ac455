/**
 * Difference content: scheme 8, "send differences of content" (002 §6.3): what changed in a page since the version that the
 * subscriber is known to hold (226 with a VCDIFF, RFC 3229). The whole page is sent when no such version is known or kept,
 * when the difference is not shorter, and after every fifty differences of a page, as CTM sends a complete base: an error
 * that crept in somewhere then ends there.
 */
import type { HeldPage } from './held-page.ts'

/** "In CTM, every 50 relative deltas, a complete base set is sent" (002 §6.3). */
export const DELTAS_PER_BASE = 50

/** The digest of what a difference may be from; undefined when the page is to be sent whole. */
export function baseOf(held: HeldPage | undefined): string | undefined {
  return held !== undefined && held.deltas < DELTAS_PER_BASE ? held.digest : undefined
}
