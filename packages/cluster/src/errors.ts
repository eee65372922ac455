/** What goes wrong in a cluster, by codes that docs/errors.md lists. */
export type ClusterErrorCode =
  | 'CLUSTER_UNREACHABLE'
  | 'CLUSTER_MISSING'
  | 'CLUSTER_EXISTS'
  | 'CLUSTER_SETTING'
  | 'CLUSTER_SKEWED'
  | 'MACHINE_FOLDER'
  | 'VAULT_DAMAGED'

export class ClusterError extends Error {
  override readonly name: string = 'ClusterError'
  readonly code: ClusterErrorCode
  constructor(code: ClusterErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const clusterError = (code: ClusterErrorCode, message: string, cause?: unknown): ClusterError =>
  new ClusterError(code, message, cause === undefined ? undefined : { cause })
