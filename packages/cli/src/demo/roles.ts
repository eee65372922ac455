/** Demo roles: who is at work in the demo, in a sentence each, for the page that a browser opens first. */
import type { LivingWeb } from '@comity/testbed'
import type { ServerOptions } from '@comity/repository'
import { counted } from '../terminal/quantity.ts'
import type { DemoGateway } from './gateway.ts'

type Roles = ReturnType<NonNullable<ServerOptions['roles']>>

interface RoleFacts {
  readonly web: Pick<LivingWeb, 'sites' | 'log'>
  readonly gateway: Pick<DemoGateway, 'url' | 'title' | 'reads'>
  /** The crawl is over, and the collection is kept fresh. */
  readonly isWatching: boolean
}

export function demoRoles({ web, gateway, isWatching }: RoleFacts): Roles {
  const [site] = web.sites
  const asked = web.sites.reduce((sum, { spec }) => sum + web.log.traffic(spec.name).requests, 0)
  const { host } = new URL(gateway.url)
  return [
    {
      name: 'A site',
      sentence:
        `${site!.spec.title} is one of ${counted(web.sites.length, 'small site')} on this machine. Its pages change every few seconds, ` +
        'and it tells crawlers which did.',
      links: [
        { text: 'its home page', href: `${site!.origin}/` },
        { text: 'what it has told', href: '/freshness' },
      ],
    },
    {
      name: 'A crawler',
      sentence:
        `${isWatching ? 'It has visited them all, and now keeps its copies fresh' : 'It visits them all'}: ` +
        `${counted(asked, 'request')} so far, one connection to a site at a time, with a rest between two.`,
      links: [
        { text: 'live', href: '/live' },
        { text: 'the sites', href: '/sites' },
      ],
    },
    {
      name: 'A gateway',
      sentence: isWatching
        ? `It stands before ${gateway.title}, which nobody crawls, and tells the words of what people read there: ` +
          `${counted(gateway.reads, 'page')} were read through it so far.`
        : `It will stand before ${gateway.title}, which nobody crawls, and tell the words of what people read there, once the crawl is over.`,
      links: [
        ...(isWatching ? [{ text: 'read a page through it', href: gateway.url }] : []),
        { text: 'what is read', href: '/reading' },
      ],
    },
    {
      name: 'A search',
      sentence: 'What the crawler fetched and what the gateway told is found here, about a second after it came.',
      links: [
        {
          text: 'what the crawler has of that site',
          href: `/search?q=${encodeURIComponent(`site:${new URL(site!.origin).hostname}`)}`,
        },
        {
          text: 'what came by the gateway',
          href: `/search?q=${encodeURIComponent(`site:${new URL(`http://${host}`).hostname}`)}`,
        },
      ],
    },
  ]
}
