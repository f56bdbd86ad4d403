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
  | { kind: 'not_ready'; error: Told }
  | { kind: 'done'; id: number; result: Result }
  | { kind: 'failed'; id: number; error: Told }
  | { kind: 'dying'; error: Told }

/** An error as plain data: classes do not survive the way between processes. */
export interface Told {
  message: string
  code?: string
  hint?: string
  stack?: string
}
