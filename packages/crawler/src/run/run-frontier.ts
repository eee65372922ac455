/** The frontier of one run: the order, the manners and the budgets that its options ask for. */
import type { Collection } from '@comity/collection'
import { Frontier } from '@comity/frontier'
import type { RunBudget } from '../control/crawl-budget.ts'
import { budgetFor, mannersFor } from '../options.ts'
import type { CrawlOptions } from '../options.ts'

export function runFrontier(
  options: CrawlOptions,
  budget: RunBudget,
  collection: Collection,
  parts: { readonly random: () => number; readonly lag: () => number },
): Frontier {
  const { order, topic, nearHot, promote, location, batch, maxTries, ignoreRobots } = options
  return new Frontier({
    order,
    importance: { topic: topic.words, nearHot, promote, location },
    lag: parts.lag,
    ...(batch < Infinity && { batch: { size: batch, spread: true } }),
    mannersOf: ({ origin, address }) => mannersFor(options, origin, address),
    budgetOf: (origin) => budgetFor(budget, origin),
    maxTries,
    random: parts.random,
    gates: !ignoreRobots,
    holdsNew: options.watch?.explore === 0,
    textOf: (page) => collection.text(page),
  })
}
