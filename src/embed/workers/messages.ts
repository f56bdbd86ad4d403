// What a pool and its workers say to each other.

/** The first message to a worker. */
export interface Start {
  data: unknown
}

/** To be done in their order. */
export interface Jobs<Task> {
  jobs: Job<Task>[]
}

export interface Job<Task> {
  id: number
  task: Task
}

export type WorkerMessage<Result> =
  | { kind: 'ready'; about: unknown }
  | { kind: 'not_ready'; error: SentError }
  | { kind: 'done'; id: number; result: Result }
  | { kind: 'failed'; id: number; error: SentError }
  | { kind: 'dying'; error: SentError }

/** An error as plain data: classes do not survive the way between processes. */
export interface SentError {
  message: string
  code?: string
  hint?: string
  stack?: string
}
