/**
 * Strongly connected components: sets of pages that all reach each other. Tarjan's algorithm (SIAM J. Comput. 1, 1972,
 * doi:10.1137/0201010), with a stack of its own: the links of a real web go deeper than any call stack.
 */
import type { Links } from './links.ts'

interface Components {
  readonly componentOf: Uint32Array
  /** Pages of each component. A component comes after all that can be reached from it. */
  readonly sizes: Uint32Array
  /** One page of each. */
  readonly memberOf: Uint32Array
}

export function componentsOf({ starts, targets }: Links): Components {
  const pages = starts.length - 1
  const componentOf = new Uint32Array(pages)
  const memberOf = new Uint32Array(pages)
  const sizes = new Uint32Array(pages)
  /** When a page was found, from 1 on; DONE once its component is known. */
  const foundAt = new Uint32Array(pages)
  /** The earliest open page its branch leads back to. */
  const low = new Uint32Array(pages)
  const nextLink = starts.slice(0, pages)
  const open = new Uint32Array(pages)
  const path = new Uint32Array(pages)
  let [found, opened, depth, components] = [0, 0, 0, 0]

  const enter = (page: number): void => {
    foundAt[page] = low[page] = ++found
    open[opened++] = page
    path[depth++] = page
  }
  const close = (root: number): void => {
    let member: number
    const before = opened
    do {
      member = open[--opened]!
      componentOf[member] = components
      foundAt[member] = DONE
    } while (member !== root)
    sizes[components] = before - opened
    memberOf[components++] = root
  }
  for (let start = 0; start < pages; start++) {
    if (foundAt[start] !== 0) continue
    enter(start)
    while (depth > 0) {
      const page = path[depth - 1]!
      const link = nextLink[page]!
      if (link < starts[page + 1]!) {
        nextLink[page] = link + 1
        const target = targets[link]!
        if (foundAt[target] === 0) enter(target)
        // A page whose component is closed cannot lead back: DONE is later than all.
        else if (foundAt[target]! < low[page]!) low[page] = foundAt[target]!
        continue
      }
      depth -= 1
      if (low[page] === foundAt[page]) close(page)
      const parent = depth > 0 ? path[depth - 1]! : page
      if (low[page]! < low[parent]!) low[parent] = low[page]!
    }
  }
  return { componentOf, sizes: sizes.slice(0, components), memberOf: memberOf.slice(0, components) }
}

const DONE = 0xffffffff
