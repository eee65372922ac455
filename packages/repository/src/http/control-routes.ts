/** Control routes: what changes the crawl that is running. The server has checked the token before they are asked. */
import type { CrawlBudget, CrawlPort } from '../ports.ts'
import { Problem } from '@comity/receiver'
import type { Repository } from '../repository.ts'
import { json } from './route.ts'
import type { Answer, Route } from './route.ts'

export function controlRoutes(repository: Repository): Route[] {
  const { crawl } = repository
  const post = (name: string, act: (body: Fields) => Promise<unknown>): Route => ({
    method: 'POST',
    path: `/api/v1/crawl/${name}`,
    audience: 'program',
    parameters: [],
    takesBody: true,
    answer: ({ body }) => control(repository, () => act(body as Fields)),
  })
  return [
    post('pause', (body) => crawl.pause(...none(body))),
    post('resume', (body) => crawl.resume(...none(body))),
    post('stop', (body) => stop(crawl, body)),
    post('seeds', (body) => crawl.addSeed(seedIn(body, repository))),
    post('budget', (body) => crawl.setBudget(budgetIn(body))),
  ]
}

type Fields = Readonly<Record<string, unknown>>

/** The state of the crawl after what was done to it. */
async function control(repository: Repository, act: () => Promise<unknown>): Promise<Answer> {
  if ((await repository.crawlState()).kind === 'none') {
    throw new Problem('no-crawl', 'Nothing writes this collection now. `comity crawl` begins one, or goes on with it.')
  }
  try {
    await act()
  } catch (error) {
    if (error instanceof Problem) throw error
    // What the crawl says is for whoever steers it, and they have the token.
    const why = error instanceof Error ? error.message.slice(0, 500).toWellFormed() : ''
    throw new Problem('crawl-failed', `The crawl did not take it, or has just ended. ${why}`.trim(), {}, error)
  }
  return json(await repository.crawlState())
}

async function stop(crawl: CrawlPort, body: Fields): Promise<void> {
  only(body, [])
  if (crawl.stop === undefined) throw new Problem('crawl-failed', 'This crawl cannot be stopped from here.')
  await crawl.stop()
}

/** No arguments, from a body that must have no fields. */
function none(body: Fields): [] {
  only(body, [])
  return []
}

function seedIn(body: Fields, repository: Repository): string {
  only(body, ['url'])
  const { url } = body
  const seed = typeof url === 'string' ? repository.pageUrl(url) : undefined
  if (seed === undefined) throw new Problem('bad-parameter', 'url is an http or https URL, like https://example.org/.')
  return seed
}

function budgetIn(body: Fields): CrawlBudget {
  only(body, BUDGET)
  const amounts = Object.entries(body)
  if (amounts.length === 0) throw new Problem('bad-parameter', `Give at least one of ${BUDGET.join(', ')}.`)
  return Object.fromEntries(amounts.map(([name, value]) => [name, amount(name, value)]))
}

const BUDGET: readonly (keyof CrawlBudget)[] = ['maxPages', 'maxBytes', 'sitePages', 'siteBytes']

function amount(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw new Problem('bad-parameter', `${name} is a whole number from 1 on.`)
  }
  return value
}

function only(body: Fields, names: readonly string[]): void {
  if (Object.keys(body).every((name) => names.includes(name))) return
  throw new Problem('bad-parameter', `The body may hold ${names.length === 0 ? 'nothing' : names.join(' and ')}.`)
}
