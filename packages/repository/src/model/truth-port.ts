/**
 * Truth: how fresh the copies really are. Only those know who own the sites, so only a demonstration has it; its samples
 * carry it beside the estimate.
 */
import type { CrawlState, LiveSample, TruthSample } from './models.ts'
import type { CrawlPort } from '../ports.ts'

/** What is true now; undefined while nobody knows. */
export type Truth = () => TruthSample | undefined

/** The same crawl, whose samples say what is true as well. */
export function withTruth(crawl: CrawlPort, truth: Truth): CrawlPort {
  const told = (sample: LiveSample): LiveSample => {
    const known = truth()
    return known === undefined ? sample : { ...sample, truth: known }
  }
  return {
    state: async (): Promise<CrawlState> => {
      const state = await crawl.state()
      return state.kind === 'none' ? state : { ...state, sample: told(state.sample) }
    },
    async *samples(signal) {
      for await (const sample of crawl.samples(signal)) yield told(sample)
    },
    pause: () => crawl.pause(),
    resume: () => crawl.resume(),
    addSeed: (url) => crawl.addSeed(url),
    setBudget: (budget) => crawl.setBudget(budget),
    stop: async () => await crawl.stop?.(),
  }
}
