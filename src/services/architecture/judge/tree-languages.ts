/** The languages whose syntax trees can be searched. Apart from the engine, which only judging processes load. */
export const treeLanguages = ['typescript', 'javascript', 'html', 'css', 'python', 'go', 'rust', 'java'] as const
