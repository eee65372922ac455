/**
 * Document: one Markdown file as a part of a page. Markup in it is shown and not followed, headings get the anchors that GitHub gives
 * them, tables and code scroll by themselves where a screen is narrow, and links to other files lead to their pages.
 */
import { Marked } from 'marked'
import type { Tokens } from 'marked'

export interface Document {
  readonly title: string
  readonly html: string
  readonly headings: readonly DocumentHeading[]
  /** Its first sentences, for search engines. */
  readonly summary: string
}

export interface DocumentHeading {
  readonly level: number
  readonly id: string
  readonly text: string
}

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** `leadsTo`: where a link of this document goes in the handbook. */
export function documentOf(markdown: string, leadsTo: (target: string) => string): Document {
  const headings: DocumentHeading[] = []
  const ids = new Map<string, number>()
  let summary = ''
  const renderer = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const id = uniqueId(anchorOf(text), ids)
        headings.push({ level: depth, id, text: plain(text) })
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      paragraph({ tokens, text }: Tokens.Paragraph): string {
        summary ||= plain(text)
        return `<p>${this.parser.parseInline(tokens)}</p>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeHtml(leadsTo(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      code({ text, lang }: Tokens.Code): string {
        return codeBlock(text, lang)
      },
      table(token: Tokens.Table): string {
        const cells = (row: readonly Tokens.TableCell[], name: 'th' | 'td'): string =>
          row.map((cell) => `<${name}${alignOf(cell)}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>\n`).join('')
        const table = `<table><thead><tr>${cells(token.header, 'th')}</tr></thead>\n<tbody>${rows}</tbody></table>`
        return `<div class="wide" tabindex="0" role="group" aria-label="table">${table}</div>\n`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag): string => escapeHtml(text),
    },
  })
  const html = renderer.parse(markdown, { async: false })
  return { title: headings[0]?.text ?? '', html, headings, summary: firstSentences(summary) }
}

export const codeBlock = (text: string, language: string | undefined): string =>
  `<pre tabindex="0" aria-label="${language === undefined || language === '' ? 'text' : escapeHtml(language)}"><code>${escapeHtml(text)}\n</code></pre>\n`

const alignOf = ({ align }: Tokens.TableCell): string => (align === 'right' ? ' class="right"' : '')

/** As GitHub makes them, so that links are good in both places. */
function anchorOf(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function uniqueId(anchor: string, ids: Map<string, number>): string {
  const count = ids.get(anchor) ?? 0
  ids.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}

/** Words without their marks. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, '')
    .replaceAll(/\s+/g, ' ')

const MOST_SUMMARY = 200

const firstSentences = (text: string): string =>
  text.length <= MOST_SUMMARY ? text : `${text.slice(0, text.lastIndexOf(' ', MOST_SUMMARY))} …`
