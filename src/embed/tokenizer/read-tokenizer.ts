// Reads a tokenizer as model folders carry it: tokenizer.json (WordPiece), or vocab.txt with one piece a line.
import { Problem } from '../../model/problem.js'
import { createWordPiece, type Tokenizer, type Vocabulary } from './word-piece.js'
import { uncased, type WordRules } from './words.js'

/** From the text of a tokenizer.json. */
export function tokenizerFromJson(text: string): Tokenizer {
  const json = parse(text)
  const model = json.model ?? {}
  if (model.vocab === undefined || Array.isArray(model.vocab)) throw unsupported(model.type ?? 'none')
  if ((model.type ?? 'WordPiece') !== 'WordPiece' || model.merges !== undefined)
    throw unsupported(model.type ?? 'BPE')
  if ((model.continuing_subword_prefix ?? '##') !== '##')
    throw unsupported('WordPiece with an unusual prefix')
  const pieces = new Map(Object.entries(model.vocab))
  for (const token of json.added_tokens ?? []) pieces.set(token.content, token.id)
  return createWordPiece(
    vocabulary(pieces, model.unk_token, marksOf(json.post_processor)),
    rulesOf(json.normalizer),
  )
}

/** From the text of a vocab.txt; a cased model says so in its tokenizer_config.json. */
export function tokenizerFromVocabulary(text: string, options: { lowercase?: boolean } = {}): Tokenizer {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const lowercase = options.lowercase ?? true
  const pieces = new Map(lines.map((piece, id) => [piece, id]))
  return createWordPiece(vocabulary(pieces), { ...uncased, lowercase, stripAccents: lowercase })
}

interface TokenizerJson {
  model?: {
    type?: string
    vocab?: Record<string, number>
    unk_token?: string
    merges?: unknown
    continuing_subword_prefix?: string
  }
  added_tokens?: { content: string; id: number }[]
  normalizer?: Normalizer | null
  post_processor?: PostProcessor | null
}

interface Normalizer {
  type?: string
  lowercase?: boolean
  strip_accents?: boolean | null
  handle_chinese_chars?: boolean
  normalizers?: Normalizer[]
}

interface PostProcessor {
  type?: string
  cls?: [string, number]
  sep?: [string, number]
}

interface Marks {
  start: string
  end: string
  double: boolean
}

function parse(text: string): TokenizerJson {
  try {
    const json = JSON.parse(text)
    if (typeof json === 'object' && json !== null) return json as TokenizerJson
    throw new Error('The file holds no object.')
  } catch (cause) {
    const hint = 'Copy the model folder again.'
    throw new Problem('embedder_files', "The model's tokenizer.json cannot be read.", hint, { cause })
  }
}

function marksOf(processor: PostProcessor | null | undefined): Marks {
  const { cls, sep, type } = processor ?? {}
  return { start: cls?.[0] ?? '[CLS]', end: sep?.[0] ?? '[SEP]', double: type === 'RobertaProcessing' }
}

function vocabulary(pieces: Map<string, number>, unknown = '[UNK]', marks = marksOf(null)): Vocabulary {
  const idOf = (token: string) => {
    const id = pieces.get(token)
    if (Number.isInteger(id)) return id!
    throw new Problem('embedder_files', `The model's tokenizer does not know ${token}.`, wordPieceOnly)
  }
  const end = idOf(marks.end)
  const between = marks.double ? [end, end] : [end]
  return { pieces, unknown: idOf(unknown), start: idOf(marks.start), between, end }
}

function rulesOf(normalizer: Normalizer | null | undefined): WordRules {
  const steps = normalizer?.normalizers ?? (normalizer ? [normalizer] : [])
  const bert = steps.find((step) => step.type === 'BertNormalizer')
  const has = (type: string) => steps.some((step) => step.type === type)
  const lowercase = has('Lowercase') || (bert !== undefined && (bert.lowercase ?? true))
  return {
    lowercase,
    stripAccents: has('StripAccents') || (bert !== undefined && (bert.strip_accents ?? lowercase)),
    splitIdeographs: bert?.handle_chinese_chars ?? true,
  }
}

const wordPieceOnly =
  'A local model needs a WordPiece tokenizer, as BERT, MiniLM, BGE, GTE and English E5 models have.'

function unsupported(kind: string): Problem {
  return new Problem(
    'embedder_unsupported',
    `The model's tokenizer is of a kind that Carrel does not read (${kind}).`,
    wordPieceOnly,
  )
}
