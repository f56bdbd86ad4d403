// Rules in prose about the structure of code. Each row of the table recognises a sentence by a few key words and checks
// it with the syntax tree. There is no grammar of English: a sentence that no row recognises is left to the reader.
import type { SgNode } from '@ast-grep/napi'

/** A piece of code, as checks look at it. */
export interface Code {
  language: string
  path: string | null
  /** Every node of its syntax tree, parents first. */
  nodes: readonly SgNode[]
}

/** The nodes that break a rule; null when the rule is not about this code. `missing`: something required is absent. */
type Breaks = readonly SgNode[] | 'missing' | null

interface StructureCheck {
  name: string
  words: RegExp
  /** Only in sentences that forbid it. Common pitfalls always do. */
  negative?: true
  languages: readonly string[]
  find(code: Code, sentence: string): Breaks
}

const script = ['typescript', 'javascript']
const most = [...script, 'python', 'java', 'go']

const functions = words(
  'function_declaration generator_function_declaration method_definition arrow_function function_expression function_definition method_declaration constructor_declaration func_literal',
)
const classes = words('class_declaration abstract_class_declaration class_definition record_declaration')
const numbers = words(
  'number integer float decimal_integer_literal decimal_floating_point_literal int_literal float_literal',
)
const dependency =
  /(?:Service|Repository|Repo|Client|Store|Gateway|Adapter|Provider|Mailer|Logger|Dao|Api|Sender|Notifier|Database|Db|Pool|Connection|Cache|Queue|Bus|Publisher)$/
const database =
  /\b(?:db|database|pool|conn|connection|knex|prisma|sequelize|mongoose|cursor|session|entityManager|jdbcTemplate)\b[\w.()$]*\.\s*\w+\s*\(|["'`]\s*(?:select\b.*\bfrom|insert\s+into|update\b.*\bset|delete\s+from)\b|["'<](?:pg|mysql2?|mongodb|knex|sqlite3|better-sqlite3|database\/sql)["'>]|^(?:import|from)\s+(?:psycopg2?|sqlite3|sqlalchemy|java\.sql)\b/is
const http =
  /^(?:fetch|axios|got|requests|httpx|urllib|https?|restTemplate|httpClient)\b[\w.]*\s*\(|["'](?:axios|got|undici|node:https?|https?|net\/http)["']|^(?:import|from)\s+(?:requests|httpx|urllib|java\.net\.http)\b/i

const plainBases = /^\W*(?:object|BaseModel|\w*Exception|\w*Error|Enum)?\W*$/
const layers =
  'controller|service|domain|handler|use[ -]?case|view|component|route|entit|presenter|presentation|business'
const stores = 'repositor|adapter|gateway|dao|data access'
const databaseWords = 'database|db|sql|quer(?:y|ies)|persistence'
const httpWords = 'https?|network|remote|fetch|web (?:services?|requests?)|apis?'
const digits = 'one|two|three|four|five|six|seven|eight'
const callsAndImports = words(
  'call_expression call method_invocation import_statement import_from_statement import_declaration import_spec',
)

const checks: readonly StructureCheck[] = [
  {
    name: 'interface',
    words:
      /\binterfaces?\b.*\bimplement|\bimplement\w*\b.*\binterface|\b(?:behind|against|define|declare|create|introduce|extract|have|has|needs?|program to) (?:\w+ ){0,3}interfaces?\b/i,
    languages: most,
    find: (code) => {
      const isDeclared = of(code, ['interface_type', 'interface_declaration']).length > 0
      const all = of(code, classes)
      if (all.length === 0) return isDeclared ? [] : 'missing'
      const isOne = (one: SgNode) =>
        code.language === 'python' ? !plainBases.test(basesOf(one)) : /\bimplements\b/.test(headOf(one))
      return all.some(isOne) ? [] : all.slice(0, 1)
    },
  },
  {
    name: 'layer',
    words: new RegExp(`^(?=.*\\b(?:${layers}|${stores}))(?=.*\\b(?:${databaseWords}|${httpWords})\\b)`, 'i'),
    negative: true,
    languages: most,
    find: (code, sentence) => {
      const mentions = (pattern: string) => new RegExp(`\\b(?:${pattern})\\b`, 'i').test(sentence)
      const about = [...(mentions(databaseWords) ? [database] : []), ...(mentions(httpWords) ? [http] : [])]
      const store = new RegExp(`\\b(?:outside|only|but)\\b[^.]*?\\b(${stores})`, 'i').exec(sentence)?.[1]
      const layer = new RegExp(`\\b(${layers})`, 'i').exec(sentence)?.[1]
      if (store && isCalled(code, store)) return []
      if (!store && !(layer && isCalled(code, layer))) return null
      const found = of(code, callsAndImports).filter((one) => about.some((form) => form.test(one.text())))
      const ids = new Set(found.map((one) => one.id()))
      return found.filter((one) => !one.ancestors().some((up) => ids.has(up.id())))
    },
  },
  {
    name: 'injection',
    words:
      /\b(?:through|via|as|into) (?:the |its |their )?constructor|\b(?:constructor|inject(?:ed|ion|s)?)\b.*\b(?:dependenc|inject|constructor|param|collaborat|pass|given|receiv)|\bdependenc\w+\b.*\b(?:constructor|inject|pass|given|from outside)|\b(?:instantiat|creat|construct|new)\w*\b.*\b(?:own )?dependenc/i,
    languages: [...script, 'python', 'java'],
    find: (code) => {
      const all = of(code, classes).filter(
        (one) => !/(?:Factory|Module|Container|Builder)$/.test(nameOf(one)),
      )
      if (all.length === 0) return null
      const made = of(code, words('new_expression object_creation_expression call'))
      return made.filter((one) => dependency.test(madeBy(one)) && isInside(one, classes) && !isDefault(one))
    },
  },
  {
    name: 'empty-catch',
    words:
      /\bcatch\b.*\b(?:handl\w+|rethrow|log)\b|\b(?:empty|swallow\w*|suppress\w*|silent\w*|ignor\w*|discard\w*)\b.*\b(?:catch|exceptions?|errors?|except)\b|\b(?:catch|exceptions?|errors?)\b.*\b(?:empty|swallow\w*|silent\w*|ignored?|discarded)\b/i,
    languages: most,
    find: (code) => {
      const empty = of(code, ['catch_clause', 'except_clause']).filter((one) =>
        isEmpty(one.children().at(-1)),
      )
      const go = of(code, ['if_statement']).filter(
        (one) => /^if\b[^{]*\berr\s*!=\s*nil\s*\{/.test(one.text()) && isEmpty(one.field('consequence')),
      )
      return code.language === 'go' ? go : empty
    },
  },
  {
    name: 'documented',
    words:
      /\b(?:docs?|document(?:ed|ation)?|jsdoc|tsdoc|docstrings?|javadoc|godoc|doc comments?)\b.*\b(?:public|exported|functions?|methods?|api)\b|\b(?:public|exported)\b.*\b(?:docs?|document(?:ed|ation)?|docstrings?|jsdoc|tsdoc|javadoc|comments?)\b/i,
    languages: most,
    find: (code) => {
      const all = of(code, functions).filter((one) => isPublic(one, code.language))
      return all.length === 0 ? null : all.filter((one) => !isDocumented(one, code.language))
    },
  },
  {
    name: 'async',
    words:
      /\b(?:instead of|rather than|not|no|avoid|over|never|without)\b[^.]*\bcallbacks?\b|\bcallbacks?\b.*\b(?:forbidden|banned|avoided|not)\b|\bcallback (?:hell|style|pyramid)/i,
    languages: [...script, 'python'],
    find: (code) =>
      of(code, functions).filter((one) => {
        const names = paramsOf(one)
        return (
          names.some((name) => /^(?:callback|cb|done|on_?(?:done|error|success|complete))$/i.test(name)) ||
          (/^(?:err|error)$/.test(names[0] ?? '') &&
            one.parent()?.kind() === 'arguments' &&
            !/\.catch\b/.test(calleeOf(one)))
        )
      }),
  },
  {
    name: 'one-class',
    words:
      /\b(?:one|single|1)\b (?:\w+[- ])?(?:class|type|struct|component)\b.*\b(?:files?|modules?)\b|\b(?:files?|modules?)\b.*\b(?:one|single|exactly one|1)\b (?:\w+[- ])?(?:class|type|struct|component)\b|\b(?:class|type|component)(?:es|s)?\b.*\bown (?:file|module)\b/i,
    languages: most,
    find: (code) => {
      const kinds = [...classes, ...(code.language === 'go' ? ['struct_type'] : [])]
      return of(code, kinds)
        .filter((one) => !isInside(one, [...classes, ...functions]))
        .slice(1)
    },
  },
  {
    name: 'mutable-global',
    words:
      /\b(?:global|module|package|top|file|class)(?:[- ]level)?\b.*\b(?:mutable|state|variables?|singletons?)\b|\bmutable\b.*\b(?:globals?|module|static|singletons?|state)\b|\bglobals\b/i,
    negative: true,
    languages: most,
    find: (code) =>
      of(
        code,
        words(
          'lexical_declaration variable_declaration expression_statement field_declaration var_declaration',
        ),
      ).filter((one) => isMutableGlobal(one, code.language)),
  },
  {
    name: 'parameters',
    words: new RegExp(
      `^(?=.*\\b(?:parameters?|arguments?|args|params)\\b)(?=.*\\b(?:\\d+|${digits})\\b)(?=.*\\b(?:at most|more than|maximum|max|up to|fewer|less|exceed|limit\\w*)\\b)`,
      'i',
    ),
    languages: most,
    find: (code, sentence) => {
      const written = new RegExp(`\\b(?:\\d+|${digits})\\b`, 'i').exec(sentence)![0].toLowerCase()
      const word = digits.split('|').indexOf(written)
      const isBelow = /\b(?:fewer|less) than\b/i.test(sentence)
      const limit = (word < 0 ? Number(written) : word + 1) - (isBelow ? 1 : 0)
      return of(code, functions).filter((one) => paramsOf(one).length > limit)
    },
  },
  {
    name: 'naming',
    words:
      /\b(?:suffix(?:ed)?|prefix(?:ed)?|end(?:s|ing)? (?:with|in)|starts? with|begins? with|past tense)\b/i,
    languages: most,
    find: (code, sentence) => {
      const isMethod = /\b(?:functions?|methods?)\b/i.test(sentence)
      const isError = /\b(?:errors?|exceptions?)\b(?! ?[`'"“])/i.test(sentence) && !isMethod
      const kinds = /\binterfaces?\b/i.test(sentence)
        ? ['interface_declaration']
        : isMethod
          ? functions
          : [...classes, 'interface_declaration', 'type_alias_declaration', 'type_spec']
      const named = of(code, kinds).filter(
        (one) => nameOf(one) && (!isError || /\b(?:Error|Exception)\b/.test(headOf(one))),
      )
      if (named.length === 0) return null
      const isRight = nameTest(sentence)
      if (!isRight) return null
      const wrong = named.filter((one) => !isRight(nameOf(one)))
      const each = isError || kinds.length === 1 || /\bpast tense\b|^(?:all|every|each)\b/i.test(sentence)
      return each || wrong.length === named.length ? wrong : []
    },
  },
  {
    name: 'magic-number',
    words:
      /\b(?:magic|numeric|unnamed|hard-?coded?) (?:numbers?|values?|constants?|literals?)\b|\bnamed constants?\b/i,
    languages: most,
    find: (code) =>
      of(code, numbers).filter((one) => {
        const up = one.parent()
        const owner = String((/list|unary/.test(String(up?.kind())) ? up?.parent() : up)?.kind())
        const isNamed =
          /declarator|assignment|const_spec|enum|keyword_argument|pair|default|literal_type/.test(owner)
        return !isNamed && !/^(?:[012](?:\.0)?$|\D)/.test(one.text()) && isInside(one, functions)
      }),
  },
  {
    name: 'typed-errors',
    words:
      /\b(?:typed|custom|domain|specific|own|dedicated|meaningful)[- ](?:\w+ )?(?:errors?|exceptions?)\b|\b(?:errors?|exceptions?)\b.*\b(?:typed|own class|subclass\w*|dedicated class)|\bthrow\w* (?:strings?|literals?)\b|\b(?:generic|bare|plain|base|raw|untyped)\b (?:`?\w*Error`?|`?Exception`?|errors?|exceptions?|strings?)/i,
    languages: most,
    find: (code) => {
      const plain =
        /^(?:throw|raise)\s+(?:(?:new\s+)?(?:Error|Exception|RuntimeException|Throwable|BaseException)\b|["'`])/
      const go = /^(?:errors\.New|fmt\.Errorf)\((?!.*%w)/s
      return code.language === 'go'
        ? of(code, ['call_expression']).filter((one) => go.test(one.text()) && isInside(one, functions))
        : of(code, words('throw_statement raise_statement')).filter((one) => plain.test(one.text()))
    },
  },
  {
    name: 'domain-objects',
    words:
      /\breturn(?:s|ing|ed)?\b.*\b(?:domain|business) (?:objects?|entit|models?|types?)|\breturn(?:s|ing)?\b.*\b(?:raw|database|orm|untyped) (?:rows?|records?|results?|objects?|data)|\b(?:database )?rows? (?:must|should|may|do|does) (?:not|never) (?:leave|leak|escape)/i,
    languages: [...script, 'python', 'java'],
    find: (code) =>
      of(code, functions).filter((one) => {
        const type = (one.field('return_type') ?? one.field('type'))?.text() ?? ''
        const given = one.text().match(/\breturn\s+[^;\n]*/g) ?? []
        return (
          /\b(?:any|\w*Rows?|QueryResult|RowDataPacket|ResultSet|Record<string|dict|Map<String, ?Object>)\b/.test(
            type,
          ) ||
          given.some((line) =>
            /(?<!\bthis)\.rows(?:\[0\])?\W*$|\.fetch(?:all|one)\(|\bexecuteQuery\(/.test(line),
          )
        )
      }),
  },
]

// A rule is shorter, and the key words are looked for in quadratic time.
const longest = 400
const exception =
  /\b(?:unless|except (?:when|if|for)|where (?:possible|practical)|sometimes|rarely|may be|it depends)\b/i
const negation =
  /\b(?:not|never|no|without|out of|free of|avoid|nor|neither|outside|only|forbidden|banned|prohibited|disallowed)\b|n['’]t\b/i

/** The checks that a sentence asks for, by name. */
export function structuresIn(sentence: string, isPitfall: boolean): { name: string; languages: string[] }[] {
  if (sentence.length > longest || exception.test(sentence)) return []
  const isNegative = isPitfall || negation.test(sentence)
  return checks
    .filter(({ words, negative }) => words.test(sentence) && (isNegative || !negative))
    .map(({ name, languages }) => ({ name, languages: [...languages] }))
}

/** The lines that break it, none for something missing; null when the sentence is not about this code. */
export function checkStructure(
  name: string,
  sentence: string,
  code: Code,
): { lines: number[]; isBroken: boolean } | null {
  const found = checks.find((check) => check.name === name)!.find(code, sentence)
  if (found === null) return null
  const lines = found === 'missing' ? [] : found.map((one) => one.range().start.line + 1)
  return { lines: [...new Set(lines)], isBroken: found === 'missing' || lines.length > 0 }
}

function words(text: string): string[] {
  return text.split(' ')
}

function of({ nodes }: Code, kinds: readonly string[]): SgNode[] {
  return nodes.filter((one) => kinds.includes(String(one.kind())))
}

function isInside(node: SgNode, kinds: readonly string[]): boolean {
  return node.ancestors().some((up) => kinds.includes(String(up.kind())))
}

function nameOf(node: SgNode): string {
  return (node.field('name') ?? node.parent()?.field('name'))?.text() ?? ''
}

/** A declaration without its body. */
function headOf(node: SgNode): string {
  return node.text().slice(0, -(node.field('body')?.text().length ?? 0) || undefined)
}

function basesOf(node: SgNode): string {
  return node.field('superclasses')?.text().replace(/[()]/g, '') ?? ''
}

/** Whether the path, or the name of a class or function in the file, contains this word. */
function isCalled(code: Code, word: string): boolean {
  const stem = word.toLowerCase().replace(/[ -]/g, '[-_ ]?')
  const named = of(code, [...classes, ...functions, 'type_spec']).map(nameOf)
  const isPart = new RegExp(`(?:^|[/_. -])${stem}|${stem[0]!.toUpperCase()}${stem.slice(1)}`)
  return [code.path ?? '', ...named].some((name) => isPart.test(name))
}

function madeBy(node: SgNode): string {
  const made = node.field('constructor') ?? node.field('type') ?? node.field('function')
  return /^[A-Z]\w*/.exec(made?.text() ?? '')?.[0] ?? ''
}

/** `constructor(store = new Store())` can be given another one. */
function isDefault(node: SgNode): boolean {
  return isInside(
    node,
    words(
      'required_parameter optional_parameter default_parameter typed_default_parameter assignment_pattern formal_parameters',
    ),
  )
}

function calleeOf(node: SgNode): string {
  return node.parent()?.parent()?.field('function')?.text() ?? ''
}

function isEmpty(block: SgNode | null | undefined): boolean {
  const statements =
    block?.children().filter((one) => one.isNamed() && !/comment/.test(String(one.kind()))) ?? []
  return statements.every((one) => /^(?:pass|\.\.\.)$/.test(one.text().trim()))
}

function paramsOf(node: SgNode): string[] {
  const list = node.field('parameters') ?? node.field('parameter')
  const each =
    list?.children().filter((one) => one.isNamed() && !/comment|separator/.test(String(one.kind()))) ?? []
  const names = each.flatMap((one) => {
    const ids =
      one.kind() === 'parameter_declaration' ? one.children().filter((id) => id.kind() === 'identifier') : []
    return ids.length > 0
      ? ids.map((id) => id.text())
      : [/[\w$]+(?=\s*[?:=,]|$)/.exec(one.text())?.[0] ?? one.text()]
  })
  return names.filter((name) => name !== 'self' && name !== 'cls' && name !== 'this')
}

function isPublic(node: SgNode, language: string): boolean {
  const name = nameOf(node)
  if (language === 'go') return /^[A-Z]/.test(name)
  if (language === 'java') return /^(?:@\w+\s+)*public\b/.test(node.text())
  if (language === 'python') return !name.startsWith('_') && !isInside(node, ['function_definition'])
  return /^(?:private|protected|#|constructor)/.test(node.text()) ? false : exported(node) !== null
}

/** The node below which a doc comment belongs: the export, or the method of an exported class. */
function exported(node: SgNode): SgNode | null {
  const isMethod = node.kind() === 'method_definition'
  const up = isMethod || node.kind() === 'arrow_function' ? node.parent()?.parent()?.parent() : node.parent()
  if (up?.kind() !== 'export_statement') return null
  return isMethod ? node : up
}

function isDocumented(node: SgNode, language: string): boolean {
  if (language === 'python') return /^[rRuU]?["']/.test(node.field('body')?.text().trim() ?? '')
  const before = (script.includes(language) ? exported(node) : node)?.prev()?.text() ?? ''
  return before.startsWith(language === 'go' ? '//' : '/**')
}

function isMutableGlobal(node: SgNode, language: string): boolean {
  const text = node.text()
  if (language === 'java')
    return (
      /^(?:(?:public|private|protected)\s+)*static\s+(?!final\b)/.test(text) &&
      !/\bfinal\b/.test(text.split('=')[0]!)
    )
  const isTop = !isInside(node, [...functions, ...classes])
  if (language === 'go') return isTop && /^var\b/.test(text) && !/^var\s+(?:_|[Ee]rr\w*)\b/.test(text)
  if (language === 'python')
    return (
      isTop &&
      /^(?!__)[a-z]\w*\s*(?::[^=]+)?=\s*(?:[[{]|(?:list|dict|set|defaultdict|\d|None|0|""|''))/.test(text)
    )
  return isTop && /^(?:let|var)\b/.test(text)
}

const irregular =
  /(?:Sent|Made|Paid|Lost|Built|Begun|Won|Sold|Bought|Held|Taken|Given|Written|Shown|Set|Put|Left|Met|Found|Done|Gone|Read|Cut)$/

/** Whether a name has the form that the sentence requires; null if it names none. */
function nameTest(sentence: string): ((name: string) => boolean) | null {
  if (/\bpast tense\b/i.test(sentence))
    return (name) =>
      /^(?:Domain|Base)?Event$/.test(name) ||
      /ed$/.test(name.replace(/Event$/, '')) ||
      irregular.test(name.replace(/Event$/, ''))
  const quoted = /[`'"“][*-]?([A-Za-z_]\w*)[`'"”]/.exec(sentence)?.[1]
  const form = quoted ?? [...sentence.matchAll(/(?<=.\s)[A-Z]\w*/g)].at(-1)?.[0]
  if (form === undefined || /\bboolean|\bpredicate/i.test(sentence)) return null
  return /\b(?:suffix|end)/i.test(sentence) ? (name) => name.endsWith(form) : (name) => name.startsWith(form)
}
