/**
 * Reading robots.rdf (002 §6.5.2) as its bytes come: RSS 1.0 as it is specified, and as Figure 6.5 prints it.
 *
 * Whatever the bytes, the result is a value, with `complete` false when the document was cut off or too large. Pages are
 * claims: the caller decides which hosts a site may speak for.
 */
import type { TextDecoder } from 'node:util'
import { SNIFF_BYTES, xmlDecoder } from './xml-encoding.ts'
import { LenientXml } from './lenient-xml.ts'
import { type RobotsRdf, RobotsRdfItems, type RobotsRdfLimits, robotsRdfLimits } from './robots-rdf-items.ts'

export interface RobotsRdfReader {
  write(chunk: Uint8Array): void
  end(): RobotsRdf
}

/** `url` is where it was fetched from; relative URLs are resolved against it. */
export function createRobotsRdfReader(url: string, limits: Partial<RobotsRdfLimits> = {}): RobotsRdfReader {
  return new StreamingReader(url, { ...robotsRdfLimits, ...limits })
}

/** Read one held in memory. */
export function readRobotsRdf(bytes: Uint8Array, url: string, limits: Partial<RobotsRdfLimits> = {}): RobotsRdf {
  const reader = createRobotsRdfReader(url, limits)
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) reader.write(bytes.subarray(at, at + SLICE_BYTES))
  return reader.end()
}

class StreamingReader implements RobotsRdfReader {
  readonly #limits: RobotsRdfLimits
  readonly #items: RobotsRdfItems
  readonly #xml: LenientXml
  #head: Buffer | undefined = Buffer.alloc(0)
  #decoder: TextDecoder | undefined
  #begun = false
  #bytes = 0

  constructor(url: string, limits: RobotsRdfLimits) {
    this.#limits = limits
    this.#items = new RobotsRdfItems(url, limits)
    this.#xml = new LenientXml(this.#items, (problem) => this.#items.report(problem))
  }

  write(chunk: Uint8Array): void {
    const left = this.#limits.maxBytes - this.#bytes
    this.#bytes += chunk.length
    if (chunk.length > left && left >= 0) this.#items.report('too-large')
    const bytes = chunk.subarray(0, Math.max(0, left))
    if (this.#head === undefined) return this.#decode(bytes)
    this.#head = Buffer.concat([this.#head, bytes])
    if (this.#head.length >= SNIFF_BYTES) this.#start(this.#head)
  }

  end(): RobotsRdf {
    if (this.#head !== undefined) this.#start(this.#head)
    this.#text(this.#decoder?.decode() ?? '')
    this.#xml.end()
    return this.#items.end()
  }

  /** Enough bytes to know the encoding. */
  #start(head: Buffer): void {
    this.#head = undefined
    this.#decoder = xmlDecoder(head).decoder
    this.#decode(head)
  }

  #decode(bytes: Uint8Array): void {
    this.#text(this.#decoder?.decode(bytes, { stream: true }) ?? '')
  }

  #text(text: string): void {
    // Blank lines before an XML declaration are an error to XML and common.
    const begun = this.#begun ? text : text.trimStart()
    if (begun === '') return
    this.#begun = true
    this.#xml.write(begun)
  }
}

const SLICE_BYTES = 1 << 16
