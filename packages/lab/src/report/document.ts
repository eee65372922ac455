/**
 * Report document: the few parts of the DOM that Observable Plot touches to draw an SVG, so plots are drawn where the
 * report is written and the page needs no script. Elements only remember what they are given and print it, escaped, in
 * the order it came: the same calls give the same bytes.
 */
import { textOf } from '@comity/protocol'
import { escapeMarkup } from './html.ts'

const svgSpace = 'http://www.w3.org/2000/svg'

export class DrawnElement {
  readonly tagName: string
  readonly namespaceURI: string = svgSpace
  readonly ownerDocument: DrawnDocument
  readonly childNodes: (DrawnElement | string)[] = []
  readonly style: { setProperty: (name: string, value: string) => void; removeProperty: (name: string) => void }
  parentNode: DrawnElement | null = null
  readonly #attributes = new Map<string, string>()
  readonly #styles = new Map<string, string>()

  constructor(tagName: string, ownerDocument: DrawnDocument) {
    this.tagName = tagName
    this.ownerDocument = ownerDocument
    this.style = {
      setProperty: (name, value) => void this.#styles.set(name, value),
      removeProperty: (name) => void this.#styles.delete(name),
    }
  }

  get children(): DrawnElement[] {
    return this.childNodes.filter((child) => typeof child !== 'string')
  }

  set textContent(text: string) {
    this.childNodes.splice(0, Infinity, text)
  }

  appendChild(child: DrawnElement): DrawnElement {
    return this.insertBefore(child, null)
  }

  insertBefore(child: DrawnElement, before: DrawnElement | null): DrawnElement {
    child.parentNode?.removeChild(child)
    const at = before === null ? -1 : this.childNodes.indexOf(before)
    this.childNodes.splice(at === -1 ? this.childNodes.length : at, 0, child)
    child.parentNode = this
    return child
  }

  removeChild(child: DrawnElement): void {
    const at = this.childNodes.indexOf(child)
    if (at !== -1) this.childNodes.splice(at, 1)
    child.parentNode = null
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, textOf(value))
  }

  setAttributeNS(_space: string, name: string, value: unknown): void {
    this.setAttribute(name, value)
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name)
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name)
  }

  toString(): string {
    // The drawing as a whole has a name. Plot names its groups too, where ARIA allows none (SVG-AAM: g is generic).
    const said = [...this.#attributes].filter(([name]) => this.tagName === 'svg' || name !== 'aria-label')
    const attributes = said.map(([name, value]) => ` ${name}="${escapeMarkup(shorten(name, value))}"`)
    const styles = [...this.#styles].map(([name, value]) => `${name}:${value}`).join(';')
    const style = styles === '' ? '' : ` style="${escapeMarkup(styles)}"`
    const inner = this.childNodes.map((child) => (typeof child === 'string' ? escapeMarkup(child) : child.toString()))
    return `<${this.tagName}${attributes.join('')}${style}>${inner.join('')}</${this.tagName}>`
  }
}

export class DrawnDocument {
  readonly documentElement: DrawnElement = new DrawnElement('svg', this)

  createElementNS(_space: string, name: string): DrawnElement {
    return new DrawnElement(name, this)
  }

  createElement(name: string): DrawnElement {
    return new DrawnElement(name, this)
  }
}

// A tenth of a pixel is finer than a screen shows, and half the bytes of the path.
const geometry = new Set(['d', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'width', 'height', 'transform'])

const shorten = (name: string, value: string): string =>
  geometry.has(name)
    ? value.replaceAll(/-?\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10))
    : value
