export const discoveryTypes = ['pattern', 'rule', 'decision', 'issue'] as const

export type DiscoveryType = (typeof discoveryTypes)[number]
