// Members of declarations: enum members, fields, attributes, keys of constant objects. They are too small to be chunks, so
// the index leaves them out; a lookup by name finds them. languages.ts explains the captures.
import type { Grammar } from './grammars.js'

const keyName = '[(property_identifier) (string)] @name'
const scriptKeys = `
(program (lexical_declaration (variable_declarator value: (object (pair key: ${keyName}) @key))))
(program (export_statement (lexical_declaration (variable_declarator value: (object (pair key: ${keyName}) @key)))))
`
const typescript = `
(enum_body (property_identifier) @name @member)
(enum_body (enum_assignment name: (_) @name) @member)
(public_field_definition name: (_) @name) @attribute
(interface_body (property_signature name: (_) @name) @property)
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @property))
${scriptKeys}
(program (lexical_declaration (variable_declarator value: (as_expression (object (pair key: ${keyName}) @key)))))
(program (export_statement (lexical_declaration (variable_declarator value: (as_expression (object (pair key: ${keyName}) @key))))))
`

export const memberQueries: Readonly<Partial<Record<Grammar, string>>> = {
  python: `
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @attribute)))
(module (expression_statement (assignment right: (dictionary (pair key: (string) @name) @key))))
(module (expression_statement (assignment right: (call arguments: (argument_list (keyword_argument name: (identifier) @name) @key)))))
`,
  typescript,
  tsx: typescript,
  javascript: `(field_definition property: (_) @name) @attribute ${scriptKeys}`,
  go: `
(field_declaration_list (field_declaration name: (_) @name) @field)
(method_elem name: (_) @name) @method
`,
  ruby: '((call method: (identifier) @_called arguments: (argument_list (simple_symbol) @name @attribute)) (#match? @_called "^attr_"))',
  rust: `
(enum_variant name: (_) @name) @member
(field_declaration name: (_) @name) @field
`,
  java: `
(enum_constant name: (_) @name) @member
(field_declaration declarator: (variable_declarator name: (_) @name)) @field
`,
  'c-sharp': `
(enum_member_declaration name: (_) @name) @member
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
`,
  php: `
(enum_case name: (_) @name) @member
(property_declaration (property_element (variable_name) @name)) @property
`,
  cpp: `
(enumerator name: (_) @name) @member
(field_declaration declarator: (field_identifier) @name) @field
`,
}

/** Statements that only bring in a name. */
export const importTypes = [
  ...['import_statement', 'import_from_statement', 'future_import_statement', 'import_declaration'],
  ...['use_declaration', 'extern_crate_declaration', 'using_directive', 'preproc_include'],
  ...['namespace_use_declaration', 'package_clause', 'package_declaration'],
]

export const commentTypes = ['comment', 'line_comment', 'block_comment', 'html_comment']
