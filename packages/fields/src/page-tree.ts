/**
 * Page tree: a page as browsers see it before scripts run, for selectors. It is made by the rules of the HTML standard (parse5), so that a
 * selector copied from a browser's inspector finds the same here: rows of a table stand in a `tbody`, whether or not somebody wrote one.
 *
 * Those rules let a small page become a huge tree (formatting that is left open is opened again in every paragraph), so what is made is
 * counted while it is made.
 */
import type { AnyNode, Document, Element, Text } from 'domhandler'
import { parse } from 'parse5'
import { adapter } from 'parse5-htmlparser2-tree-adapter'
import type { Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter'

/** As deep as browsers nest elements (Blink's limit). */
const MAX_DEPTH = 512
const MAX_ELEMENTS = 200_000

type PageTree =
  | { readonly kind: 'tree'; readonly root: Document; readonly base: string }
  | { readonly kind: 'too-large'; readonly message: string }

class TooLarge extends Error {}

/** `url`: where the page was found; its `base` may say that links are to be read as of elsewhere. */
export function pageTree(html: string, url: string): PageTree {
  let [depth, elements] = [0, 0]
  const counting: typeof adapter = {
    ...adapter,
    createElement: (...args) => {
      if (++elements > MAX_ELEMENTS) throw new TooLarge(`it has more than ${MAX_ELEMENTS} elements`)
      return adapter.createElement(...args)
    },
    onItemPush: () => {
      if (++depth > MAX_DEPTH) throw new TooLarge(`its elements are nested more than ${MAX_DEPTH} deep`)
    },
    onItemPop: () => void depth--,
  }
  try {
    const options = { treeAdapter: counting, scriptingEnabled: false }
    const root = parse<Htmlparser2TreeAdapterMap>(html, options)
    return { kind: 'tree', root, base: baseOf(root, url) }
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    return { kind: 'too-large', message: error.message }
  }
}

function baseOf(root: Document, url: string): string {
  for (const node of nodesBelow(root)) {
    if (!isElement(node) || node.name !== 'base' || node.attribs['href'] === undefined) continue
    const base = URL.parse(node.attribs['href'], url)
    return base !== null && /^https?:$/.test(base.protocol) ? base.href : url
  }
  return url
}

const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template'])

/** What a reader would see of it, in one line. */
export function textIn(element: Element): string {
  let text = ''
  for (const node of nodesBelow(element)) if (isText(node)) text += node.data
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** In the order of the page, without the contents of what is not shown. */
function* nodesBelow(root: Document | Element): Generator<AnyNode> {
  const waiting: AnyNode[] = root.children.toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node
    if (!isElement(node) || SILENT.has(node.name)) continue
    for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!)
  }
}

const isText = (node: AnyNode): node is Text => node.nodeType === 3 && 'data' in node
const isElement = (node: AnyNode): node is Element => 'attribs' in node
