/** Link: from page, to page, anchor text. The graph that importance is computed from. */
export interface Link {
  readonly from: string
  readonly to: string
  readonly anchor: string
}
