// All YAML is parsed through this module, which checks the nesting depth before the recursive part of the library runs.
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

/** The maximum nesting depth of lists and maps. */
export const deepest = 50

/** Parses a YAML document, with syntax errors in its `errors`. Throws if it is nested too deeply. */
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

// The parser keeps open nodes in a list, but the composer recurses. At some thousand levels the whole process dies: V8
// aborts when it has to compile a regular expression at the end of the stack, which nothing can catch.
function* shallow(raw: string) {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(raw)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > deepest + documentAndScalar) throw tooDeep()
  }
  yield* parser.end()
}

const documentAndScalar = 2
