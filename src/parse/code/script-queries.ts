// Declarations of JavaScript and TypeScript. languages.ts explains the captures.

const functionValue = '[(arrow_function body: (_) @body) (function_expression body: (_) @body)]'
const classValue = '(class body: (_) @body)'
const anyNamed = '[(arrow_function) (function_expression) (class)]'

const shared = `
(function_declaration) @function
(generator_function_declaration) @function
(class_declaration) @class
(method_definition) @method

(variable_declarator name: (identifier) value: ${functionValue}) @function
(variable_declarator name: (identifier) value: ${classValue}) @class
(variable_declarator value: (object (pair key: (_) @name value: ${functionValue}) @method))

(export_statement "default" @name value: ${functionValue}) @function
(export_statement "default" @name value: ${classValue}) @class
(export_statement declaration: (_)) @wrap

((assignment_expression left: (member_expression) @_left right: (class name: (_) @name body: (_) @body)) @class
  (#eq? @_left "module.exports"))
((assignment_expression left: (member_expression) @_left
  right: (function_expression name: (_) @name body: (_) @body)) @function
  (#eq? @_left "module.exports"))
(assignment_expression left: (member_expression) @name right: ${functionValue}) @function
(assignment_expression left: (member_expression) @name right: ${classValue}) @class
(assignment_expression right: (object (pair key: (_) @name value: ${functionValue}) @method))

(lexical_declaration (variable_declarator value: ${anyNamed})) @wrap
(variable_declaration (variable_declarator value: ${anyNamed})) @wrap

(decorator) @doc
(comment) @doc
`

export const javascript = `
${shared}
(field_definition property: (_) @name value: ${functionValue}) @method
`

export const typescript = `
${shared}
(function_signature) @function
(abstract_class_declaration) @class
(interface_declaration) @interface
(type_alias_declaration) @type
(enum_declaration) @enum
(internal_module) @namespace
(module) @module

(method_signature) @method
(abstract_method_signature) @method
(public_field_definition value: ${functionValue}) @method

(ambient_declaration (lexical_declaration (variable_declarator) @constant))
(ambient_declaration (variable_declaration (variable_declarator) @variable))
(ambient_declaration (_ name: (_))) @wrap
(ambient_declaration (lexical_declaration)) @wrap
(ambient_declaration (variable_declaration)) @wrap
(expression_statement (internal_module)) @wrap
`

const constant = '(variable_declarator name: (identifier) value: (_) @value) @constant'
const variable = '(variable_declarator name: (identifier)) @variable'

const imported = '(variable_declarator value: (call_expression function: (identifier) @_called)) @skip'

const destructured =
  '(variable_declarator name: (object_pattern [(shorthand_property_identifier_pattern) @name @constant (pair_pattern value: (identifier) @name @constant)]))'

/** Constants count at the top of a module, not inside functions, and not if they only rename an import. */
export const scriptTop = `
(program (lexical_declaration kind: "const" ${constant}) @wrap)
(program (lexical_declaration kind: "let" ${variable}) @wrap)
(program (variable_declaration ${variable}) @wrap)
(program (export_statement declaration: (lexical_declaration kind: "const" ${constant})))
(program (export_statement declaration: (lexical_declaration kind: "let" ${variable})))
(program (export_statement declaration: (lexical_declaration ${destructured})))
(program (export_statement declaration: (variable_declaration ${variable})))
((program (lexical_declaration ${imported})) (#eq? @_called "require"))
((program (variable_declaration ${imported})) (#eq? @_called "require"))
`
