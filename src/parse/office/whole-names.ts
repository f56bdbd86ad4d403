/** Markdown of an engine that escapes every underscore. Within a word it means nothing, and a name is searched for as it is. */
export function wholeNames(markdown: string): string {
  return markdown
    .split(/(^ *```[\s\S]*?^ *```)/m)
    .map((text, index) =>
      index % 2 === 1 ? text : text.replace(escapedMarks, (marks) => marks.replaceAll('\\', '')),
    )
    .join('')
}

const escapedMarks = /(?<=[\p{L}\p{N}])(?:\\_)+(?=[\p{L}\p{N}])/gu
