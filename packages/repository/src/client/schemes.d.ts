/** What schemes.js exports, for the server's side. */
interface Spending {
  readonly schemes: Readonly<Record<string, { readonly requests: number }>>
  readonly requests: number
}
export declare const SCHEME_GROUPS: readonly { readonly name: string; readonly schemes: readonly string[] }[]
export declare const GROUP_NAMES: readonly string[]
export declare function requestsByGroup(watch: Spending): number[]
export declare function needlessShare(watch: { readonly needless: number; readonly requests: number }): number
