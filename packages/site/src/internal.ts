/** For siblings alone: the reverse proxy that the site's own and the gateway's are made of. */
export type { BodyWatch, ExchangeWatch, PassedAnswer, PassedExchange } from './proxy/exchange-watch.ts'
export type { ProxyCounters } from './proxy/proxy-context.ts'
export { proxyOptions } from './proxy/proxy-options.ts'
export type { ProxyLimits, ProxyOptions, ProxyWishes } from './proxy/proxy-options.ts'
export { REFUSAL_REASONS } from './proxy/refusal.ts'
export { ProxyServer } from './proxy/proxy-server.ts'
