/** A server of a cluster that stands still, for the tests of this package. */
import { RepositoryServer } from '../http/server.ts'
import type { PagesPort } from '../ports.ts'
import { whole } from './cluster-fixture.ts'
import { answer } from './pages-fixture.ts'
import { samplePages } from './sample-repository.ts'
import { TOKEN } from './sample-server.ts'

interface WholeServer {
  readonly server: RepositoryServer
  /** What the cluster was asked. */
  readonly asked: string[]
}

export function wholeServer(pages: PagesPort = samplePages, now: () => number = Date.now): WholeServer {
  const asked: string[] = []
  const port = {
    search: async ({ query }: { readonly query: string }) => {
      asked.push(`search ${query}`)
      const results = answer.results.map((one, i) => Object.assign({}, one, { shard: i }))
      return await Promise.resolve({ ...answer, results, shards: { asked: 3, away: [2] } })
    },
    status: async () => {
      asked.push('status')
      return await Promise.resolve(whole)
    },
  }
  return { asked, server: new RepositoryServer({ whole: port, pages, token: TOKEN, now }) }
}

/** A server of several collections that stand still. */
export function severalServer(): RepositoryServer {
  const collections = [{ name: 'manuals', documents: 3, problems: [] }]
  const several = {
    search: async () => await Promise.resolve(answer),
    collections: async () => await Promise.resolve(collections),
  }
  return new RepositoryServer({ several, pages: samplePages, token: TOKEN, now: Date.now })
}
