import type { Declaration } from '../model/document.js'

/** Declarations as they lie in each other. The root stands for the file and declares nothing. */
export interface Branch {
  declaration: Declaration | null
  start: number
  end: number
  children: Branch[]
}

export function branchesOf(length: number, declarations: readonly Declaration[]): Branch {
  const root: Branch = { declaration: null, start: 0, end: length, children: [] }
  const open = [root]
  for (const declaration of [...declarations].sort((a, b) => a.start - b.start || b.end - a.end)) {
    while (open.length > 1 && open[open.length - 1]!.end <= declaration.start) open.pop()
    const parent = open[open.length - 1]!
    const before = parent.children[parent.children.length - 1]?.end ?? parent.start
    const start = Math.max(declaration.start, before)
    const end = Math.min(declaration.end, parent.end)
    if (start >= end) continue
    const branch: Branch = { declaration, start, end, children: [] }
    parent.children.push(branch)
    open.push(branch)
  }
  return root
}

/** A declaration and everything declared in it. */
export function* declarationsIn(branch: Branch): Generator<Declaration> {
  if (branch.declaration) yield branch.declaration
  for (const child of branch.children) yield* declarationsIn(child)
}

/** `Class.method`. */
export function qualifiedName({ scope, name }: Declaration): string {
  return [...scope, name].join('.')
}
