/**
 * Several search: collections on this machine that answer as one index of all their pages would. `collection:NAME` in a question
 * asks some of them alone, as if they were all there are; `-collection:NAME` leaves some out.
 */
import { basename, resolve } from 'node:path'
import { FollowedCollection } from '@comity/collection'
import { SearchOfParts } from '@comity/index'
import type { IndexPart, SearchRequest } from '@comity/index'
import type { Instant } from '@comity/protocol'
import { openSearchPart } from '@comity/search'
import type { CollectionModel } from './models.ts'
import type { ShownAnswer } from './page-models.ts'
import type { SeveralPort } from '../ports.ts'

interface SeveralOptions {
  readonly now: () => Instant
  /** Memory for parts of the indexes that were read lately, of all together. */
  readonly cacheBytes?: number | undefined
}

interface OpenCollection {
  readonly name: string
  readonly part: IndexPart
}

/** Throws a `CollectionError` when one of them is none. */
export function openCollections(
  dirs: readonly string[],
  { now, cacheBytes = 128 << 20 }: SeveralOptions,
): SeveralPort & AsyncDisposable {
  const stack = new AsyncDisposableStack()
  const names = namesOf(dirs)
  try {
    const collections = dirs.map((dir, i): OpenCollection => {
      const followed = stack.use(new FollowedCollection(dir, now))
      const share = Math.floor(cacheBytes / dirs.length)
      const { part } = stack.use(openSearchPart(dir, () => followed.current, { cacheBytes: share }))
      return { name: names[i]!, part }
    })
    return {
      search: (request) => searched(collections, request),
      collections: async () => await Promise.all(collections.map(modelOf)),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    void stack.disposeAsync()
    throw error
  }
}

/** The last part of each path; of those that are called alike, all but the first have a number. */
export function namesOf(dirs: readonly string[]): string[] {
  const taken = new Set<string>()
  return dirs.map((dir) => {
    const own = basename(resolve(dir)).replaceAll(/["\s]/g, '-') || 'root'
    let name = own
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${own}-${i}`
    taken.add(name.toLowerCase())
    return name
  })
}

async function modelOf({ name, part }: OpenCollection): Promise<CollectionModel> {
  const facts = await part.facts({ terms: [], prefixes: [] })
  return { name, documents: facts?.documents ?? 0, problems: facts?.problems ?? [] }
}

interface Wanted {
  /** The question without what says which collections. */
  readonly query: string
  readonly named: readonly string[]
  readonly without: readonly string[]
}

/** What stands in quotes is looked for. */
export function wantedCollections(query: string): Wanted {
  const [named, without]: [string[], string[]] = [[], []]
  const rest = query.replaceAll(
    /"[^"]*"|(?<![^\s(])(-?)collection:(?:"([^"]*)"|([^\s)]+))/gi,
    (...match: unknown[]) => {
      const [all, minus, quoted, bare] = match as [string, string?, string?, string?]
      const name = quoted ?? bare
      if (name === undefined) return all
      ;(minus === '-' ? without : named).push(name.toLowerCase())
      return ''
    },
  )
  return { query: rest.trim(), named, without }
}

async function searched(collections: readonly OpenCollection[], request: SearchRequest): Promise<ShownAnswer> {
  const { query, named, without } = wantedCollections(request.query)
  const known = new Set(collections.map(({ name }) => name.toLowerCase()))
  const unknown = [...named, ...without].filter((name) => !known.has(name))
  const asked = collections.filter(({ name }) => {
    const own = name.toLowerCase()
    return (named.length === 0 || named.includes(own)) && !without.includes(own)
  })
  const search = new SearchOfParts(asked.map(({ part }) => part))
  const { results, away, problems, ...answer } = await search.search({ ...request, query })
  return {
    ...answer,
    results: results.map(({ part, ...result }) => Object.assign(result, { collection: asked[part]!.name })),
    problems: [
      ...problems,
      ...away.map((part) => `The collection ${asked[part]!.name} cannot be read: what it has is missing here.`),
      ...unknown.map(
        (name) => `There is no collection ${name} here: they are ${collections.map((one) => one.name).join(', ')}.`,
      ),
    ],
  }
}
