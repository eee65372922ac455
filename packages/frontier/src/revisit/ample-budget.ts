/**
 * Ample budget: how far silence should count when there are visits for every change, and more.
 *
 * A page that nobody announces may wait longer where its site announces most changes. How much longer rests on what the
 * site's share of announced changes is thought to be, and that is an estimate from the few changes that were found: of
 * sites that are equally honest, those with few changes seem to tell less, and get the visits. While the budget is scarce
 * this costs less than what leaning on silence wins; where it pays for several visits a change, all that is announced is
 * visited at once anyhow, what is left is to find the rest, and there every page is best visited by its own changes alone.
 * Measured in `comity lab freshness` (docs/lab.md): on OpenBSD's history, with nine visits a change, leaning as far as the
 * word was believed lost 0.08 and 0.15 points in ten stretches of ten; on made webs with less than one it wins two.
 */

/** Visits that the budget pays for, to each change that is expected. */
const SCARCE = 3
const AMPLE = 6

/** From 0, the budget is scarce and silence counts as it is believed, to 1: it counts for nothing. */
export function ampleness(visitsPerChange: number): number {
  return Math.min(1, Math.max(0, (visitsPerChange - SCARCE) / (AMPLE - SCARCE)))
}

/** Changes a day that a visit is to look for, of those that nobody announces and all. */
export const watchedRate = (changeRate: number, hiddenRate: number, ample: number): number =>
  hiddenRate + (changeRate - hiddenRate) * ample
