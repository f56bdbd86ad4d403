/** Under which record the store keeps how the last run of indexing went. */
export const lastRunRecord = { kind: '~runs', id: 'last' } as const
