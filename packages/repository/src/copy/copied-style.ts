/**
 * Copied style: a stored style sheet in which nothing is asked for. Cut into tokens as CSS Syntax 3 (§4) cuts them, as
 * `u\72l(` and `@\69mport` are what they say to a browser: each address becomes a place for a picture that is held, and
 * each import a place for a sheet. All else stays as it was written.
 *
 * What comes out begins no tag: a browser that reads it elsewhere than in a `style` element finds no markup in it.
 */
import { CopyPieces } from './copy-piece.ts'
import type { CopyPiece } from './copy-piece.ts'

/** An address as the sheet has it, made whole; undefined for what cannot be held. */
type ResolveAddress = (address: string) => string | undefined

/** Read by position, so a sheet costs time in proportion to its length whatever is in it. */
const IDENT =
  /(?:--|-?(?:[a-z_]|[^\0-\x7f]|\\(?:[0-9a-f]{1,6}[ \t\n\r\f]?|[^\n\r\f])))(?:[\w-]|[^\0-\x7f]|\\(?:[0-9a-f]{1,6}[ \t\n\r\f]?|[^\n\r\f]))*/iy
const STRING = /"(?:[^"\\\n\r\f]|\\[^])*"?|'(?:[^'\\\n\r\f]|\\[^])*'?/y
const SPACE = /[ \t\n\r\f]*/y
const BARE_ADDRESS = /(?:[^)\\]|\\[^])*/y
const TO_SEMICOLON = /[^;{}]*;?/y

/** Functions in which a string is an address. */
const TAKES_STRINGS: ReadonlySet<string> = new Set(['image-set', '-webkit-image-set', 'image', 'cross-fade'])
/** No picture, and no question. */
const NOTHING = 'url("data:,")'

export function copiedStyle(sheet: string, resolve: ResolveAddress): readonly CopyPiece[] {
  // CSS Syntax 3 §3.3: also behind a backslash, where a name would take it along.
  const css = sheet.replaceAll('\0', '\ufffd')
  const out = new CopyPieces()
  /** Of each bracket that is open: are strings addresses in it? */
  const open: boolean[] = []
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(css)?.[0] ?? ''
    at += found.length
    return found
  }
  const picture = (address: string): void => {
    const kept = HERE.test(address) ? address : keptData(address)
    const url = kept === undefined ? resolve(address) : undefined
    if (kept !== undefined) out.write(`url("${kept}")`)
    else if (url === undefined) out.write(NOTHING)
    else out.want({ kind: 'picture', urls: [url], before: 'url("', after: '")', otherwise: NOTHING })
  }
  /** What stands between the brackets of `url(`, to behind its end. */
  const address = (): string => {
    take(SPACE)
    const quoted = take(STRING)
    const bare = take(BARE_ADDRESS)
    if (css[at] === ')') at++
    return quoted === '' ? unescaped(bare.trim()) : unquoted(quoted)
  }
  const atRule = (name: string): void => {
    if (name === 'charset') return void take(TO_SEMICOLON)
    if (name !== 'import') return
    take(SPACE)
    const isCalled = /^url\($/i.test(unescaped(css.slice(at, at + 4)))
    if (isCalled) at += 4
    const url = resolve(isCalled ? address() : unquoted(take(STRING)))
    const media = mediaOf(take(TO_SEMICOLON))
    if (url === undefined || media === undefined) return
    const [before, after] = media === '' ? ['', ''] : [`@media ${media}{`, '}']
    out.want({ kind: 'sheet', urls: [url], before, after, otherwise: '' })
  }

  while (at < css.length) {
    const c = css[at]!
    if (c === '/' && css[at + 1] === '*') {
      const end = css.indexOf('*/', at + 2)
      at = end === -1 ? css.length : end + 2
      out.write('/**/')
    } else if (c === '"' || c === "'") {
      const string = take(STRING)
      if (open.at(-1) === true) picture(unquoted(string))
      // A string that its line cuts short is none, and what follows is read anew.
      else out.write(string.length > 1 && string.endsWith(c) ? tagless(string) : ' ')
    } else if (c === '@') {
      at++
      const name = take(IDENT)
      const plain = unescaped(name).toLowerCase()
      if (plain !== 'import' && plain !== 'charset') out.write(`@${tagless(name)}`)
      atRule(plain)
    } else if (css.startsWith('<!--', at) || css.startsWith('-->', at)) {
      at += c === '<' ? 4 : 3
      out.write(' ')
    } else {
      const name = take(IDENT)
      const isFunction = css[at] === '('
      const plain = isFunction ? unescaped(name).toLowerCase() : ''
      if (isFunction) at++
      if (plain === 'url' || plain === 'src') picture(address())
      else if (isFunction) {
        if (open.length < MOST_OPEN) open.push(TAKES_STRINGS.has(plain))
        out.write(`${tagless(name)}(`)
      } else if (name !== '') out.write(tagless(name))
      else {
        if (c === ')' || c === '}') open.pop()
        else if ((c === '(' || c === '{') && open.length < MOST_OPEN) open.push(false)
        at++
        out.write(c === '<' ? (css[at] === '=' ? '<' : '< ') : c)
      }
    }
  }
  return out.end()
}

/** Deeper is nobody's style. */
const MOST_OPEN = 10_000

/** In a string, or escaped in a name, `<` would begin a tag for whoever reads it as markup. */
const tagless = (text: string): string => text.replaceAll(/\\?</g, '\\3c ')

/** Of an import: media alone; of layers and conditions nobody can tell whether they hold. */
function mediaOf(rest: string): string | undefined {
  const media = rest
    .replace(/;$/, '')
    .replace(/^\s*layer(?:\([\w.\s-]*\))?/i, '')
    .trim()
  return /^[\w\s:().,/-]*$/.test(media) && !/supports|url/i.test(media) ? media : undefined
}

const unquoted = (string: string): string =>
  unescaped(string.slice(1, string.length > 1 && string.endsWith(string[0]!) ? -1 : undefined))

/** CSS Syntax 3 §4.3.7. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\n\r\f])?|(\r\n|[\n\r\f])|([^]))/gi, (_, hex, _line, one) => {
    if (hex === undefined) return (one as string | undefined) ?? ''
    const code = Number.parseInt(hex as string, 16)
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code)
  })

const MOST_DATA = 200_000
/** A part of the same page. */
const HERE = /^#[\w.:-]{1,200}$/

/** A picture that the sheet brings along, spelled so that it ends no string: `data:` asks nobody. */
function keptData(address: string): string | undefined {
  if (address.length > MOST_DATA || !/^data:image\//i.test(address)) return undefined
  return address.replaceAll(/["'\\<>\s()&]|[^\x20-\x7e]/g, (c) =>
    encodeURIComponent(c.toWellFormed()).replace("'", '%27').replace('(', '%28').replace(')', '%29'),
  )
}
