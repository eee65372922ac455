/** Router: from a path and a method to the route that answers, or to the problem that there is none. */
import { Problem } from '@comity/receiver'
import type { Route } from './route.ts'

interface Routed {
  readonly route: Route
  /** What stands for the `*` of the route's path. */
  readonly name: string
}

export class Router {
  readonly routes: readonly Route[]
  readonly #byPath = new Map<string, Route[]>()

  constructor(routes: readonly Route[]) {
    this.routes = routes
    for (const route of routes) this.#byPath.set(route.path, [...(this.#byPath.get(route.path) ?? []), route])
  }

  /** HEAD is GET without the body (RFC 9110 §9.3.2). */
  find(method: string, path: string): Routed {
    const exact = this.#byPath.get(path)
    const slash = path.lastIndexOf('/') + 1
    const routes = exact ?? this.#byPath.get(`${path.slice(0, slash)}*`)
    if (routes === undefined || path.endsWith('*')) {
      throw new Problem('not-found', '/openapi.json lists what a program may ask; people begin at /.')
    }
    const wanted = method === 'HEAD' ? 'GET' : method
    const route = routes.find((one) => one.method === wanted)
    if (route !== undefined) return { route, name: exact === undefined ? path.slice(slash) : '' }
    const allow = routes.map((one) => (one.method === 'GET' ? 'GET, HEAD' : one.method)).join(', ')
    throw new Problem('method-not-allowed', `Here goes ${allow}.`, { Allow: allow })
  }
}
