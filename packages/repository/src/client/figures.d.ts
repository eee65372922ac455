/** What figures.js exports, for the server's side. */
export declare function formatCount(count: number): string
export declare function counted(count: number, one: string, many?: string): string
export declare function formatBytes(bytes: number): string
export declare function formatDuration(ms: number): string
export declare function formatRate(perSecond: number): string
export declare function formatShare(share: number): string
