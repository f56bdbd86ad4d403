// Keeps a thread from being stopped in the middle of native code. When a process exits, Node stops its workers at
// once, and the ONNX runtime answers a call that returns into a stopped worker by aborting the whole process
// (measured: 24 of 24 exits during inference ended with SIGABRT; with this guard none of 48 did). So whoever stops
// a worker first forbids it to enter native code and then waits until it has come out.

/** Two numbers shared by a worker and its owner: whether entering is forbidden, and whether the worker is inside. */
export type NativeGuard = Int32Array

const forbidden = 0
const inside = 1

/** For the owner: a new guard, watched until the process ends or `release` is called. */
export function createGuard(): NativeGuard {
  if (watched.size === 0) process.on('exit', waitForAll)
  const guard = new Int32Array(new SharedArrayBuffer(8))
  watched.add(guard)
  return guard
}

/** For the owner: forbids entering, and resolves when the worker can be stopped. */
export async function quiet(guard: NativeGuard): Promise<void> {
  Atomics.store(guard, forbidden, 1)
  while (Atomics.load(guard, inside) === 1) await new Promise((resolve) => setTimeout(resolve, 5))
}

export function release(guard: NativeGuard): void {
  watched.delete(guard)
  if (watched.size === 0) process.off('exit', waitForAll)
}

/** For the worker: does native work, or never returns when the worker is about to be stopped. */
export async function guarded<T>(guard: NativeGuard, work: () => Promise<T>): Promise<T> {
  Atomics.store(guard, inside, 1)
  try {
    if (Atomics.load(guard, forbidden) === 1) return await never(guard)
    return await work()
  } finally {
    leave(guard)
  }
}

const watched = new Set<NativeGuard>()

// Loading a model takes the longest, well under a second. A worker that hangs must not keep the process for ever.
const patience = 5_000

function waitForAll(): void {
  for (const guard of watched) Atomics.store(guard, forbidden, 1)
  for (const guard of watched) Atomics.wait(guard, inside, 1, patience)
}

function leave(guard: NativeGuard): void {
  Atomics.store(guard, inside, 0)
  Atomics.notify(guard, inside)
}

function never<T>(guard: NativeGuard): Promise<T> {
  leave(guard)
  return new Promise(() => {})
}
