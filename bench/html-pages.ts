// Documentation pages as a site generator makes them: real documents where they are at hand, in a frame of navigation,
// with code coloured token by token.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { projectRoot } from '../test/support/world.js'

const markdown = new MarkdownIt({ html: true, highlight: coloured })

export function documentationPages(most: number): string[] {
  const shared = join(projectRoot, '../shared/data/docs')
  const folder = existsSync(shared) ? shared : join(projectRoot, 'examples/library')
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => readFileSync(join(folder, path), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, ''))
    .filter((text) => text.length > 1_500)
  return texts.slice(0, most).map((text, i) => framed(markdown.render(text), i))
}

const topics = [
  'Guide',
  'Reference',
  'Plugins',
  'Deployment',
  'Testing',
  'Migration',
  'Internals',
  'Community',
]

function framed(body: string, page: number): string {
  const links = topics
    .flatMap((topic) => Array.from({ length: 15 }, (_, n) => [topic, n] as const))
    .map(
      ([topic, n]) =>
        `<li class="item"><a class="link" href="/${topic.toLowerCase()}/${n}"><span>${topic} ${n}</span></a></li>`,
    )
    .join('\n')
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page ${page} | Docs</title>
<meta name="description" content="A page of documentation"><style>${'.a{color:red}'.repeat(200)}</style>
<script>window.__DATA__=${JSON.stringify({ page, list: Array.from({ length: 300 }, (_, n) => n) })}</script></head>
<body><header class="bar"><a href="/">Docs</a><nav>${topics.map((one) => `<a href="/${one}">${one}</a>`).join('')}</nav></header>
<div class="layout"><aside class="sidebar"><nav><ul>${links}</ul></nav></aside>
<main><div class="content"><article class="doc">${body}</article>
<div class="pager"><a href="/prev">Previous</a><a href="/next">Next</a></div></div>
<aside class="toc"><p>On this page</p><ul>${links.slice(0, 2_000)}</ul></aside></main></div>
<footer><p>Released under a licence. Edit this page.</p></footer></body></html>`
}

function coloured(code: string, language: string): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const lines = code.split('\n').map((line) => {
    const tokens = line
      .split(/(?<=\W)|(?=\W)/)
      .map((token) => `<span style="--light:#24292e">${escaped(token)}</span>`)
    return `<span class="line">${tokens.join('')}</span>`
  })
  return `<pre class="shiki"><code class="language-${language || 'text'}">${lines.join('\n')}</code></pre>`
}
