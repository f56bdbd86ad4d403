// What can be read of which language. Apart from the engines, which only judging processes load.

/** The languages whose syntax trees can be searched. */
export const treeLanguages = [
  'typescript',
  'javascript',
  'html',
  'css',
  'python',
  'go',
  'rust',
  'java',
] as const

/** The languages whose imports are read. */
export const importLanguages = [
  'typescript',
  'javascript',
  'vue',
  'svelte',
  'astro',
  'python',
  'go',
  'rust',
  'java',
  'c',
  'cpp',
] as const
