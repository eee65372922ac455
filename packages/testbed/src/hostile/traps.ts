/**
 * Hostile traps: sites without end. Every page is well made, 200 and new; only the crawl as a whole is a mistake.
 * A crawler passes when it stops by itself and leaves the rest alone.
 */
import type { HostileCase, HostileVisit, Serve } from './case.ts'
import { fineHtml, linksTo, respond } from '../raw-response.ts'

export const trapCases: readonly HostileCase[] = [
  trap('calendar-trap', 'links every month to the next and the last, for all time', (visit) => {
    const [, year = 2026, month = 1] = visit.path.split('/').map((part) => Number(part) || undefined)
    const at = (step: number): string => {
      const date = new Date(Date.UTC(year, month - 1 + step))
      return `${visit.base}/${date.getUTCFullYear()}/${date.getUTCMonth() + 1}`
    }
    return show(visit, `Events of ${year}-${month}`, [at(-1), at(1)])
  }),
  trap('session-trap', 'puts a new session into the links of every page', (visit) => {
    const session = (): string => visit.random.int(0x7fff_ffff).toString(36)
    return show(visit, 'Welcome', [`${visit.base}/?sid=${session()}`, `${visit.base}/shop?sid=${session()}`])
  }),
  trap('path-session-trap', 'puts a new session into the paths of its links', (visit) => {
    const session = visit.random.int(0x7fff_ffff).toString(36)
    return show(visit, 'Welcome', [`${visit.base}/s-${session}/`, `${visit.base}/s-${session}/about`])
  }),
  trap('repeating-path-trap', 'has relative links that lead ever deeper', (visit) =>
    show(visit, 'Deeper', ['a/', 'b/', 'a/b/']),
  ),
  trap('query-order-trap', 'links to itself with its parameters in every order', (visit) => {
    const names = visit.random.shuffle(['colour', 'size', 'brand', 'price', 'sort', 'page', 'view'])
    const links = [0, 1, 2, 3].map(
      () =>
        `${visit.base}/list?${visit.random
          .shuffle(names)
          .map((name) => `${name}=1`)
          .join('&')}`,
    )
    return show(
      visit,
      'All products',
      links.map((link) => link.replaceAll('&', '&amp;')),
    )
  }),
  trap('facet-trap', 'adds one more filter to every link', (visit) => {
    const joint = visit.path.includes('?') ? '&amp;' : '?'
    const links = ['red', 'blue', 'small'].map(
      (facet) => `${visit.base}${visit.path.replaceAll('&', '&amp;')}${joint}f=${facet}`,
    )
    return show(visit, 'Filtered products', links)
  }),
  trap('pagination-trap', 'has a next page behind every page, and the same text on all', (visit) => {
    const number = Number(/\d+/.exec(visit.path)?.[0] ?? 1)
    return show(visit, 'Results', [`${visit.base}/page/${number + 1}`])
  }),
  trap('soft-404-maze', 'answers 200 to everything, with links drawn at random', (visit) => {
    const links = Array.from(
      { length: 20 },
      () => `${visit.base}/${visit.random.int(1e9).toString(36)}/${visit.random.int(1e9).toString(36)}.html`,
    )
    return show(visit, 'Page not found', links)
  }),
  trap('word-maze', 'makes up new text and new links for every page', (visit) => {
    const word = (): string => visit.random.int(1e9).toString(36).replaceAll(/\d/g, 'e')
    const text = Array.from({ length: 200 }, word).join(' ')
    return show(
      visit,
      word(),
      Array.from({ length: 10 }, () => `${visit.base}/${word()}`),
      `<p>${text}</p>`,
    )
  }),
  trap('growing-url-trap', 'makes every link longer by a hundred characters', (visit) => {
    return show(visit, 'Longer', [`${visit.base}${visit.path.replace(/\/?$/, '/')}${'x'.repeat(100)}`])
  }),
  trap('case-trap', 'answers to every spelling of a path and links to another', (visit) => {
    const spelt = 'the-same-old-page'
      .split('')
      .map((char) => (visit.random.chance(0.5) ? char.toUpperCase() : char))
      .join('')
    return show(visit, 'The same old page', [`${visit.base}/${spelt}`])
  }),
  trap('slash-trap', 'adds one more slash to every link', (visit) =>
    show(visit, 'Slashes', [`${visit.base}${visit.path}/`]),
  ),
]

function trap(name: string, sentence: string, serve: Serve): HostileCase {
  return { name, sentence, expect: 'trap', place: 'site', serve: withOpenRobots(serve) }
}

function withOpenRobots(serve: Serve): Serve {
  return (visit) => (visit.path === '/robots.txt' ? respond(visit, '404 Not Found', 'no rules here\n') : serve(visit))
}

const show = (visit: HostileVisit, title: string, hrefs: readonly string[], markup = ''): Promise<void> =>
  respond(visit, '200 OK', fineHtml(title, markup + linksTo(hrefs)))
