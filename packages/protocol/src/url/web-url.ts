/** Absolute, with everything percent-encoded that RFC 3986 wants so; undefined when it is not http(s). */
export function webUrl(url: string, base?: string): string | undefined {
  const parsed = URL.parse(url, base)
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed.href : undefined
}
