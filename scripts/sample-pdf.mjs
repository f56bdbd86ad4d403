// Writes the sample library's paper, examples/library/papers/delivery-guarantees.pdf: three pages of plain
// PDF operators in the standard fonts, the same bytes on every machine. With --check it compares instead.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const target = join(root, 'examples', 'library', 'papers', 'delivery-guarantees.pdf')

const paper = {
  title: 'Delivery guarantees, plainly',
  author: 'Ilse Varga and Tomas Wren',
  subject: 'What a notification service can promise, and what it cannot',
  pages: [
    [
      ['title', 'Delivery guarantees, plainly'],
      ['byline', 'Ilse Varga and Tomas Wren, Tallowick, Saltmere. Second edition, April 2026.'],
      ['heading', 'Abstract'],
      [
        'text',
        'People who build on a notification service ask for exactly-once delivery. No service that speaks to mail servers and telephone networks can give it. We explain why in three pages, without formulas where a story will do, and say what can be promised instead: nothing accepted is lost, repeats are rare, and a repeat can be recognised.',
      ],
      ['heading', '1  The courier and the bell'],
      [
        'text',
        'A courier carries a letter to a house, rings the bell, hands it over and walks home to tick it off in the ledger. On one walk home in a million she falls into the harbour. The ledger says the letter is still to be delivered. The next courier has two choices: carry the letter again, or assume that it arrived. He cannot find out which is right by looking at the ledger, because the ledger is the thing that was not written.',
      ],
      [
        'text',
        'Ticking off before the walk does not help. It moves the accident from after the bell to before it, and now a letter may be lost while the ledger swears that it was delivered. There are two ledgers, the house and the office, and no pencil long enough to write in both at once.',
      ],
      ['heading', '2  Three promises'],
      [
        'text',
        'At most once: tick, then walk. Nobody is disturbed twice, and some letters vanish. At least once: walk, then tick. Nothing vanishes, and some doors are knocked at twice. Exactly once: both, which needs the house to keep a ledger too. Where the receiver remembers the names of letters it has seen, at least once on the road becomes exactly once at the table.',
      ],
    ],
    [
      ['heading', '3  How wide is the gap?'],
      [
        'text',
        'The window in which a crash causes a repeat is the time between the answer of the far side and the commit of our own row. We measured it on two nodes over ninety days and 12.4 million messages. The median was 3.1 milliseconds, the ninety-ninth percentile 41 milliseconds. In that time there were 19 unclean stops of a worker and nine repeats in total, 0.7 in a million.',
      ],
      ['row', 'Channel        Messages     Repeats    Recognised by the receiver'],
      ['row', 'email          7,810,000    4          4 (message id header)'],
      ['row', 'sms            2,950,000    3          0'],
      ['row', 'webhook        1,180,000    2          2 (Lantern-Message-Id)'],
      ['row', 'push             460,000    0          -'],
      [
        'text',
        'The text message channel is the honest residue: a telephone has no ledger, so three people were told twice that their ferry was late. We consider that an acceptable price. The alternative, ticking first, would have lost about as many messages as it saved repeats, and nobody calls to complain about a message that did not come. They miss the boat.',
      ],
      ['heading', '4  Retries multiply'],
      [
        'text',
        'A budget of six attempts, spaced twenty seconds, one minute, three, nine and fifteen minutes at most, ends within twenty-eight minutes and twenty seconds. If every layer between the sender and the telephone keeps such a budget for itself, three layers make two hundred and sixteen attempts. One layer should retry; the others should report.',
      ],
      [
        'text',
        'Waits are drawn at random between zero and their bound. In a replay of a gateway outage with forty thousand waiting messages, fixed waits brought them back within the same two seconds and overloaded the gateway again on each round; random waits spread the return over the whole interval and the gateway recovered on the first.',
      ],
    ],
    [
      ['heading', '5  What the receiver owes'],
      [
        'text',
        'Keep the names of messages for at least a week, longer than the longest retry and the longest backup gap. Answer a repeat with success, not with an error: an error causes another repeat. Do the work and remember the name in one transaction, or the courier falls into a different harbour.',
      ],
      ['heading', '6  What the sender owes'],
      [
        'text',
        'Name a message by what it is about, not by when it was sent. A name that contains the time of sending is new on every retry, and the best deduplication in the world will treat it as a stranger. If two messages about one booking are meant to be different, say so in the name.',
      ],
      ['heading', '7  Conclusion'],
      [
        'text',
        'We promise that an accepted message is attempted until it is delivered, refused or out of budget; that its name never changes on the way; and that its history can be read. We do not promise that it arrives exactly once, and we are wary of anyone who does. Between silence and a second knock at the door we choose the knock.',
      ],
      ['heading', 'Acknowledgements'],
      [
        'text',
        'Priya Callowhill asked the question that became section 3. Bram Oosterling pulled the plugs, nineteen times, and enjoyed it. Correspondence: papers@lantern.example.org.',
      ],
      ['heading', 'Further reading in this library'],
      [
        'text',
        'The decision to deliver at least once, the note on the outbox, and the pattern of the same name.',
      ],
    ],
  ],
}

// A4 with wide margins. Wrapping counts characters: good enough for Helvetica at these sizes, and exact
// widths would need the font's tables.
const styles = {
  title: { font: 'F2', size: 20, leading: 30, before: 0, wrap: 50 },
  byline: { font: 'F1', size: 10, leading: 16, before: 0, wrap: 95 },
  heading: { font: 'F2', size: 13, leading: 20, before: 14, wrap: 70 },
  text: { font: 'F1', size: 11, leading: 15, before: 4, wrap: 84 },
  row: { font: 'F3', size: 9.5, leading: 13, before: 2, wrap: 90 },
}
const margin = 64
const pageSize = { width: 595, height: 842 }

const bytes = document(paper)
if (process.argv.includes('--check')) {
  if (!readFileSync(target).equals(bytes)) {
    console.error('The paper differs from what scripts/sample-pdf.mjs writes. Run it without --check.')
    process.exit(1)
  }
} else writeFileSync(target, bytes)

/** The whole file: numbered objects, the table of their offsets, the trailer. */
function document({ title, author, subject, pages }) {
  const firstPage = 7
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Lang (en) >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${firstPage + 2 * i} 0 R`).join(' ')}] >>`,
    `<< /Title (${escaped(title)}) /Author (${escaped(author)}) /Subject (${escaped(subject)}) /CreationDate (D:20260412090000Z) >>`,
    ...['Helvetica', 'Helvetica-Bold', 'Courier'].map(
      (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
    ),
    ...pages.flatMap((blocks, i) => [pageObject(firstPage + 2 * i + 1), contentStream(blocks, i + 1)]),
  ]
  return serialized(objects)
}

function pageObject(content) {
  const fonts = '<< /F1 4 0 R /F2 5 0 R /F3 6 0 R >>'
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageSize.width} ${pageSize.height}] /Resources << /Font ${fonts} >> /Contents ${content} 0 R >>`
}

function contentStream(blocks, number) {
  let y = pageSize.height - margin
  const lines = []
  for (const [kind, text] of blocks) {
    const style = styles[kind]
    y -= style.before
    for (const line of wrapped(text, style.wrap)) {
      y -= style.leading
      lines.push(`BT /${style.font} ${style.size} Tf ${margin} ${y} Td (${escaped(line)}) Tj ET`)
    }
  }
  lines.push(`BT /F1 9 Tf ${pageSize.width / 2} 36 Td (${number}) Tj ET`)
  const stream = lines.join('\n')
  return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`
}

function wrapped(text, width) {
  if (text.length <= width) return [text]
  const cut = text.lastIndexOf(' ', width)
  return [text.slice(0, cut), ...wrapped(text.slice(cut + 1), width)]
}

function escaped(text) {
  return text.replace(/[\\()]/g, '\\$&')
}

function serialized(objects) {
  // The second line is a comment of high bytes, which tells transfer programs that the file is binary.
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((body, i) => {
    const offset = file.length
    file += `${i + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}
