/** Quality list: names with weights, as Accept-Encoding and A-IM carry them (RFC 9110 §12.4.2, RFC 3229 §10.5.3). */

export interface QualityItem {
  /** In small letters. */
  readonly name: string
  /** From 0, which is "no", to 1. */
  readonly quality: number
}

const MAX_ITEMS = 50
const MAX_FIELD_CHARS = 4_096

/** The items in order. Those that cannot be read are left out; parameters other than q say nothing to us. */
export function parseQualityList(field: string | undefined): readonly QualityItem[] {
  if (field === undefined || field.length > MAX_FIELD_CHARS) return []
  const items: QualityItem[] = []
  for (const part of field.split(',', MAX_ITEMS)) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.map((parameter) => /^q\s*=\s*(.*)$/i.exec(parameter)?.[1]).find((q) => q !== undefined)
    const quality = weight === undefined ? 1 : QUALITY.test(weight) ? Number(weight) : undefined
    if (TOKEN.test(name) && quality !== undefined) items.push({ name: name.toLowerCase(), quality })
  }
  return items
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** How welcome a name is: 0 when it is refused or not listed. `*` stands for all that are not. */
export function qualityOf(items: readonly QualityItem[], name: string): number {
  const listed = items.find((item) => item.name === name) ?? items.find((item) => item.name === '*')
  return listed?.quality ?? 0
}
