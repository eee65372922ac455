/**
 * Hono middleware: a site front in the middle of an app of Hono's.
 *
 *   app.use(honoMiddleware(createSiteFront({ journal, base, now: Date.now, robots })))
 *
 * Hono is named by its shape, so that sites without it need not install it.
 */
import type { SiteFront } from '../site-front.ts'
import { pageOf, responseOf, siteRequestOf } from './web-handler.ts'

export interface HonoContextLike {
  readonly req: { readonly raw: Request }
  get res(): Response
  set res(response: Response | undefined)
}

export type HonoMiddleware = (context: HonoContextLike, next: () => Promise<void>) => Promise<Response | undefined>

export function honoMiddleware(front: SiteFront): HonoMiddleware {
  return async (context, next) => {
    const request = siteRequestOf(context.req.raw)
    const own = front.isOurs(request.path) ? await front.answer(request) : undefined
    if (own !== undefined) return responseOf(own)
    await next()
    const page = await pageOf(front, context.req.raw, context.res)
    if (page === undefined) return undefined
    // Otherwise Hono puts the fields of the old response onto the new one.
    context.res = undefined
    context.res = page
    return undefined
  }
}
