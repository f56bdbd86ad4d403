import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { processorTime } from '../../test/support/processor-time.js'
import { parseHtml } from './html.js'
import { xhtmlAsHtml } from './html-tree.js'

describe('a page becomes Markdown', () => {
  const check = (what: string, html: string, markdown: string) =>
    test(what, () => assert.equal(parseHtml(html).text, markdown))

  check('headings and paragraphs', '<h1>A</h1><p>x <b>y</b></p><h2>B</h2>z', '# A\n\nx **y**\n\n## B\n\nz')
  check('signs that would mean something', '<p># a *b* [[c]]</p>', '\\# a \\*b\\* \\[\\[c]]')
  check('permalinks in headings', '<h2><a href="#a">A</a><a class="headerlink" href="#a">¶</a></h2>', '## A')
  check(
    'headings that are permalinks or buttons, and no other such',
    '<h2><a class="header-anchor" href="#a"><span>A</span></a></h2><h2>B<a class="anchor" href="#b">Link</a></h2><h3><button>How?</button> <a class="headerlink">#</a></h3><h3>C <button>Copy</button></h3><dl><dt><button>D</button></dt></dl><button>E</button>',
    '## A\n\n## B\n\n### How?\n\n### C\n\n**D**',
  )
  check(
    'boxes beside the text, but no menus',
    '<main><aside class="sidebar"><p class="sidebar-title">Take care</p><p>Back up <a href="b">first</a>.</p></aside>a<div class="sidebar"><a href="c">Guide</a> <a href="d">FAQ</a></div></main>',
    'Take care\n\nBack up [first](b).\n\na',
  )
  check('no sidebar of a page without a main part', '<aside class="sidebar">a</aside><p>b</p>', 'b')
  check(
    'labels in a row',
    '<div><label>npm</label><label>yarn</label></div><label>a</label>: b',
    'npm yarn\n\na: b',
  )
  check(
    'raised and lowered signs',
    '<p>2<sup>32</sup>, <i>x</i><sup>-2</sup>, 2<sup>n+1</sup>, 1<sup>st</sup>, word<sup><a>3</a></sup>, H<sub>2</sub>O, <code>10<sub>2</sub></code></p><p><sup>3</sup> Note</p>',
    '2^32, *x*^(-2), 2^(n+1), 1st, word^3, H2O, `10_2`\n\n3 Note',
  )
  check(
    'names with underscores, and underscores that would mean something',
    '<h2>max_retry</h2><p>max_<wbr>retry__count _a_ <a href="a_b">c_d</a> <code>e\\_f \ufdd0g_h</code></p>',
    '## max_retry\n\nmax_retry__count \\_a\\_ [c_d](a_b) `e\\_f g_h`',
  )
  check(
    'headings without what edits them, and formulas once',
    '<h2><span>Use</span><span class="mw-editsection">[<a href="e">edit</a>]</span></h2><p><span class="katex"><span class="katex-mathml"><math><mi>E</mi><annotation>E=mc^2</annotation></math></span><span class="katex-html" aria-hidden="true">E=mc2</span></span>, <span class="katex"><span class="katex-html">F</span></span></p>',
    '## Use\n\n`E=mc^2`, F',
  )
  check(
    'what is done in a list of tasks, and no switches',
    '<ul><li><input type="checkbox" disabled checked> a</li><li><label><input type="checkbox" disabled>b</label></li><li><input type="checkbox">c</li></ul>',
    '- ☒ a\n- ☐ b\n- c',
  )
  check(
    'who said what is quoted',
    '<blockquote><p>q</p><footer>Ilse Varga</footer></blockquote><footer>f</footer>',
    '> q\n>\n> Ilse Varga',
  )
  check('definitions', '<dl><dt>T</dt><dd>d</dd></dl>', '**T**\n\nd')
  check(
    'tables',
    '<table><tr><th>a<th>b<tr><td><p>1</p><p>2</p><td><ul><li>x<li>y</ul></table>',
    '| a | b |\n| --- | --- |\n| 1 2 | x y |',
  )
  check(
    'tables with cells over several rows',
    '<table><thead><tr><th rowspan=2>OS<th colspan=2>Since<tr><th>x64<th>arm64<tbody><tr><td rowspan="2">Linux<td>1.0<td>1.4<tr><td colspan=2>2.0<tr><td>BSD<td rowspan=99><td>3',
    '| OS | Since | |\n| --- | --- | --- |\n| OS | x64 | arm64 |\n| Linux | 1.0 | 1.4 |\n| Linux | 2.0 | |\n| BSD |  | 3 |',
  )
  check(
    'rows without a table',
    '<thead><tr><th>a</th></tr></thead><tr><td>b</td><td>c</td></tr>',
    'a\n\nb\n\nc',
  )
  check(
    'tables around tables',
    '<table><tr><td>l<td><table><tr><td>a<td>b</table></table>',
    'l\n\n| a | b |\n| --- | --- |',
  )
  check(
    'code with its language',
    '<pre><code class="language-ts">a &lt; b\n</code></pre>',
    '```typescript\na < b\n```',
  )
  check(
    'code highlighted by a wrapper',
    '<div class="highlight-python3 notranslate"><div class="highlight"><pre><span>def</span> f():\n  pass</pre></div></div>',
    '```python\ndef f():\n  pass\n```',
  )
  check(
    'code in a table with line numbers',
    '<table><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
    '```\na\nb\n```',
  )
  check(
    'code in a table with numbers in cells like those of code',
    '<table class="lntable"><tr><td class="lntd"><pre><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre><code data-lang="go"><span class="cl">a\n</span><span class="cl">  b\n</span></code></pre></td></tr></table>',
    '```go\na\n  b\n```',
  )
  check(
    'code with numbers in its lines',
    '<pre><code><span class="ln">1</span>a\n<span class="ln">2</span>b</code></pre>',
    '```\na\nb\n```',
  )
  check(
    'code with its language before and numbers after it',
    '<div class="language-js line-numbers-mode"><span class="lang">js</span><pre><code>a\nb</code></pre><div class="line-numbers-wrapper"><span class="line-number">1</span><br></div></div><p class="lang">c</p>',
    '```javascript\na\nb\n```\n\nc',
  )
  check(
    'code in divisions',
    '<div class="fragment"><div class="line"><span class="lineno">    1</span>int f() {</div><div class="line">  g();</div></div><div class="fragment">x</div>',
    '```\nint f() {\n  g();\n```\n\nx',
  )
  check(
    'sections of text in XHTML',
    xhtmlAsHtml('<p>x</p><pre><![CDATA[if (a < b && c > d) { e() }]]></pre><p>y <![CDATA[z</p>'),
    'x\n\n```\nif (a < b && c > d) { e() }\n```\n\ny',
  )
  check('code with line breaks of tags', '<pre lang="sh">a<br>b</pre>', '```shell\na\nb\n```')
  check(
    'the main part',
    `<body><nav>n</nav><header>h</header><main><p>${'text '.repeat(9)}</p></main><footer>f</footer></body>`,
    'text '.repeat(9).trim(),
  )
  check(
    'all of it when the main part is empty',
    '<body><main></main><p>some text here</p></body>',
    'some text here',
  )
  check(
    'articles side by side, with what stands between them',
    '<body><nav>n</nav><h1>News</h1><article><p>of ferrets</p></article><article><p>of lemurs</p></article></body>',
    '# News\n\nof ferrets\n\nof lemurs',
  )
  check(
    'main parts in several places, but none that is hidden',
    `<body><div><main><p>${'text '.repeat(9)}</p></main></div>menu<main hidden>h</main><div><main><p>more</p></main></div></body>`,
    `${'text '.repeat(9).trim()}\n\nmore`,
  )
  check(
    'nothing hidden',
    '<script>a</script><style>b</style><template>c</template><!-- d --><p hidden>e</p><svg><text>f</text></svg>g<p style="color: red; Display : none !important">h</p><p style="visibility:hidden;">i</p>',
    'g',
  )
  check(
    'styles that hide nothing for good',
    '<p style="--display:none">a</p><div class="tab-content" style="display:none">b</div><div class="faq-answer" style="display: none">c</div><p><span style="display: none"><math alttext="d"></math></span></p>',
    'a\n\nb\n\nc\n\n`d`',
  )
  check(
    'a page that shows once its script has run',
    '<div id="root" style="visibility:hidden"><h1>A</h1><p>b</p></div>',
    '# A\n\nb',
  )
  check(
    'nothing that does something instead of showing',
    '<p>a\u202eb&#x202e;c\u200bd&#27;e\u{e0041} می\u200cخواهم 👩\u200d💻 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}</p>',
    'abcde می\u200cخواهم 👩\u200d💻 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  )
  check(
    'what shows when it is asked for',
    '<div role="tabpanel">a</div><div role="tabpanel" hidden><pre>b</pre></div><div id="faq" hidden="until-found">c</div><div class="tab-pane" hidden>d</div><div class="AccordionBody" hidden>e</div><div class="table tabular" hidden>f</div><details><summary>g</summary>h</details>',
    'a\n\n```\nb\n```\n\nc\n\nd\n\ne\n\n**g**\n\nh',
  )
  check(
    'links',
    '<a href="b.html#c">x</a> <a href="javascript:alert(1)">y</a> <a>z</a> <a href="q"></a>',
    '[x](b.html#c) y z',
  )
  check(
    'pictures',
    '<p><img src="a.png" alt="A"><img src="b.png"><img src="data:x" alt="C"></p>',
    '![A](a.png)C',
  )
  check('what is left open', '<ul><li>a<li>b<p>c', '- a\n- b\n\n  c')
})

test('reads the metadata of a page', () => {
  const { title, metadata, sections, links, tags } =
    parseHtml(`<html lang="en"><head><title>Retries | Docs</title>
    <meta name="Description" content="How to  retry"><meta name="author" content="A. U."><link rel="canonical" href="https://x.y/z">
    <meta property="article:published_time" content="2024-05-06"></head><body><h1>Retries</h1><p>#tag <a href="b.html">x</a></p></body></html>`)
  assert.equal(title, 'Retries')
  assert.deepEqual(metadata, {
    description: 'How to retry',
    author: 'A. U.',
    date: '2024-05-06',
    language: 'en',
    canonical: 'https://x.y/z',
  })
  assert.deepEqual(
    sections.map((s) => s.text),
    ['Retries'],
  )
  assert.deepEqual(
    links.map((l) => l.target),
    ['b.html'],
  )
  assert.deepEqual(tags, [])
})

test('headings in layout lists and headings with many anchors stay headings', () => {
  const outline = (html: string) => parseHtml(html).sections.map(({ text }) => text)
  const methods =
    '<ul><li><a name="m"></a><ul><li><h3>Methods</h3><ul><li><h4>add</h4><pre>add(E e)</pre></li></ul><ul><li><h4>size</h4></li></ul></li></ul></li></ul>'
  assert.deepEqual(outline(methods), ['Methods', 'add', 'size'])
  assert.deepEqual(outline('<ul><li>a</li><li><h3>b</h3></li></ul>'), [])
  const questions = Array.from(
    { length: 260 },
    (_, i) => `<a name="q${i}"/><h3>Question ${i}</h3><p>Answer.</p>`,
  )
  assert.equal(outline(`<div>${questions.join('')}</div>`).length, 260)
  assert.equal(parseHtml('<a href="a">b<a href="c">d').text, '[b](a) [d](c)')
})

test('titles come from where there are some', () => {
  const title = (html: string) => parseHtml(html).title
  assert.equal(title('<title>A: b</title><h1>C</h1>'), 'A: b')
  assert.equal(title('<meta property="og:title" content="O"><h1>C</h1>'), 'O')
  assert.equal(title('<h1>C ¶</h1>'), 'C')
  assert.equal(title('<title>C | D</title><h1>C <a href="#c">&#8203;</a></h1>'), 'C')
  const logo = '<title>Acme | Install</title><header><h1>Acme</h1></header>'
  assert.equal(title(`${logo}<main><h2>Install</h2>x</main>`), 'Install')
  assert.equal(title(`${logo}<h1>Install</h1>x`), 'Install')
  assert.equal(title(logo.replace('Acme</h1>', '<a href="/">Acme</a></h1>')), 'Acme | Install')
  assert.equal(title('<title>Install | Guide</title><header><h1>Install</h1></header>'), 'Install')
  assert.equal(title('<title>Install | Guide</title><h1>Install</h1><h2>Guide</h2>'), 'Install')
  assert.equal(title('<p>x</p>'), null)
})

test('a page that means harm costs little', () => {
  const size = 30_000
  const repeat = (tag: string) => tag.repeat(size / tag.length)
  const patterns = [
    '<div>',
    '<p>',
    '<b>',
    '<li>',
    '<ul><li>',
    '<li><td>',
    '<table><tr><td>',
    '<table><tr><td rowspan=999 colspan=999>x<tr><td>',
    '<blockquote>x',
    '<dl><dt>a<dd>',
    '<a href=x>',
    '<pre>',
    '<',
    '&',
    '<a b="',
    '<!--',
    '<script>',
    '</div>',
    '[',
    '<p>*',
    '<svg>',
    '<x',
  ]
  for (const pattern of patterns) {
    let text = ''
    const took = processorTime(() => {
      text = parseHtml(repeat(pattern)).text
    })
    assert.ok(took < 4000 && text.length < size * 10, `${pattern}: ${took | 0} ms, ${text.length} characters`)
  }
})

test('a listing with a great gap in it costs little', () => {
  for (const gap of [' ', '\n', '\t', '\u00a0']) {
    const code = `a${gap.repeat(60_000)}b`
    const took = processorTime(() =>
      assert.equal(parseHtml(`<pre>\n${code} \n</pre>`).text, `\`\`\`\n${code}\n\`\`\``),
    )
    assert.ok(took < 1500, `${JSON.stringify(gap)}: ${took | 0} ms`)
  }
})
