/** Relevance of a passage that words alone found: how much of what could match did match. Rises with the score. */
export function relevanceOfWords(score: number, ceiling: number): number {
  return ceiling > 0 ? Math.min(1, score / ceiling) : 0
}
