// The one way to the YAML library: nothing reaches the part of it that calls itself before its depth is known.
import {
  Composer,
  type Document,
  type DocumentOptions,
  Lexer,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  YAMLParseError,
} from 'yaml'

/** How deep lists and maps may lie in each other. */
export const deepest = 50

/** A document in YAML, with what is wrong with it among its errors; throws for one that is nested too deeply. */
export function readYaml(
  raw: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): Document.Parsed {
  const composer = new Composer({ logLevel: 'error', ...options, prettyErrors: false })
  const [document, another] = composer.compose(shallow(raw), true, raw.length)
  if (another && options.logLevel !== 'silent')
    document!.errors.push(
      new YAMLParseError([another.range[0], another.range[1]], 'MULTIPLE_DOCS', 'More than one document'),
    )
  return document!
}

export function tooDeep(): Error {
  return new Error(`nested deeper than ${deepest} levels`)
}

// The parser keeps what is open in a list; the composer after it calls itself for each level, and at some thousand of
// them the whole process is lost: V8 gives up when it has to compile a regular expression at the end of the stack, which
// nothing can catch.
function* shallow(raw: string) {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(raw)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > deepest + documentAndScalar) throw tooDeep()
  }
  yield* parser.end()
}

const documentAndScalar = 2
