// The public face of the package: what other programs may import.
export type { ChannelPort, DeliveryResult, StorePort } from './domain/ports.js'
export * from './domain/notification.js'
export { RetryBudget } from './domain/retry-budget.js'
export { isQuiet, nextAllowedTime } from './domain/quiet-hours.js'
export { LanternError, type ErrorCode } from './errors.js'
export { createServer } from './server.js'
