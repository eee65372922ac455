/** Processor time: for tests that say how much work something is at most. A busy machine takes longer, and works no more. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
