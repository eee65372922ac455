/** Raw response: HTTP/1.1 written by hand, because a library would refuse to write most of what the cases need. */
import type { HostileVisit } from './hostile/case.ts'

type RawHeaders = readonly (readonly [name: string, value: string])[]

/** A response head with its empty line. */
export function headOf(status: string, headers: RawHeaders = []): string {
  return `HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

export const htmlType: readonly [string, string] = ['Content-Type', 'text/html; charset=utf-8']
export const closing: readonly [string, string] = ['Connection', 'close']

/** A whole, honest response. */
export async function respond(
  visit: HostileVisit,
  status: string,
  body: string | Uint8Array,
  headers: RawHeaders = [htmlType],
): Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  await visit.send(headOf(status, [...headers, ['Content-Length', String(bytes.length)], closing]))
  await visit.send(bytes)
}

export const finePage = (visit: HostileVisit): Promise<void> => respond(visit, '200 OK', fineHtml('A fine page'))

/** A small page with the given markup in it. */
export const fineHtml = (title: string, markup = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>` +
  `<body><h1>${title}</h1><p>Nothing to see here.</p>${markup}</body></html>\n`

export const linksTo = (hrefs: readonly string[]): string =>
  hrefs.map((href) => `<a href="${href}">${href}</a>`).join('\n')

/** Send the same piece until the leash tightens. */
export async function sendForEver(visit: HostileVisit, piece: string | Uint8Array): Promise<void> {
  while (await visit.send(piece));
}

/** One byte at a time with a pause after each. */
export async function drip(visit: HostileVisit, text: string): Promise<void> {
  for (const char of text) if (!(await visit.send(char)) || !(await visit.wait(visit.paceMs))) return
}
