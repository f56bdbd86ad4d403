/** Like a process that was stopped with Ctrl-Z: timers go off before anything is heard that came meanwhile. */
export function standStill(ms: number) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
