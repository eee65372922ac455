/** Soon: a value that is worth a short wait, and no longer one. */

/** The value if it comes within `ms`, or undefined. What fails, fails; what fails later is nobody's concern any more. */
export async function soon<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
