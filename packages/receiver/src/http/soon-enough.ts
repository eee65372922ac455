/** Soon enough: the result of something, or undefined when it takes longer than somebody can be kept waiting. It goes on. */
export async function soonEnough<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms, undefined)
  // If it fails after that, nobody is there to be told.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
