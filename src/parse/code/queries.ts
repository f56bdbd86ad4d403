// Declarations of every language but JavaScript and TypeScript. languages.ts explains the captures.

export const python = `
(function_definition) @function
(class_definition) @class
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @type

(decorated_definition) @wrap
(decorator) @doc
(comment) @doc
`

export const pythonTop = `
(module (expression_statement (assignment left: (identifier) @name right: (_) @value) @variable))
`

const receiver = `[
  (type_identifier) @scope
  (pointer_type (type_identifier) @scope)
  (generic_type type: (_) @scope)
  (pointer_type (generic_type type: (_) @scope))
]`

export const go = `
(function_declaration) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: ${receiver}))) @method

(comment) @doc
`

export const goTop = `
(source_file (type_declaration (type_spec type: (struct_type (_) @body)) @struct) @wrap)
(source_file (type_declaration (type_spec type: (interface_type) @value) @interface) @wrap)
(source_file (type_declaration (type_spec) @type) @wrap)
(source_file (type_declaration (type_alias) @type) @wrap)
(source_file (const_declaration (const_spec name: (_) @name) @constant) @wrap)
(source_file (var_declaration (var_spec name: (_) @name) @variable) @wrap)
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @variable)) @wrap)
`

export const rust = `
(function_item) @function
(function_signature_item) @function
(struct_item) @struct
(enum_item) @enum
(union_item) @union
(trait_item) @trait
(impl_item type: (_) @name) @impl
(mod_item body: (_)) @module
(type_item) @type
(associated_type) @type
(const_item value: (_) @value) @constant
(const_item) @constant
(static_item value: (_) @value) @variable
(macro_definition name: (_) @name . (_) @body) @macro

(attribute_item) @doc
(line_comment) @doc
(block_comment) @doc
`

export const java = `
(class_declaration) @class
(interface_declaration) @interface
(enum_declaration) @enum
(record_declaration) @record
(annotation_type_declaration) @annotation
(method_declaration) @method
(constructor_declaration) @constructor
(compact_constructor_declaration) @constructor
(field_declaration (modifiers "static" "final")
  declarator: (variable_declarator name: (_) @name value: (_) @value)) @constant

(modifiers [(annotation) (marker_annotation)] @doc)
(line_comment) @doc
(block_comment) @doc
`

export const csharp = `
(class_declaration) @class
(struct_declaration) @struct
(interface_declaration) @interface
(record_declaration) @record
(enum_declaration) @enum
(delegate_declaration) @delegate
(method_declaration) @method
(constructor_declaration) @constructor
(destructor_declaration) @destructor
(operator_declaration operator: _ @name) @operator
(property_declaration accessors: (_) @value) @property
(property_declaration value: (_) @value) @property
(local_function_statement) @function
(namespace_declaration) @namespace
(file_scoped_namespace_declaration) @namespace
((field_declaration (modifier) @_modifier (variable_declaration (variable_declarator name: (_) @name))) @constant
  (#eq? @_modifier "const"))

(attribute_list) @doc
(comment) @doc
`

export const ruby = `
(module) @module
(class) @class
(method) @method
(singleton_method) @method
(assignment left: (constant) @name right: (_) @value) @constant

(comment) @doc
`

export const php = `
(namespace_definition) @namespace
(class_declaration) @class
(interface_declaration) @interface
(trait_declaration) @trait
(enum_declaration) @enum
(function_definition) @function
(method_declaration) @method
(const_declaration (const_element (name) @name) @constant)

(const_declaration) @wrap
(attribute_list) @doc
(comment) @doc
`

// A function's declarator holds its name directly; a pointer to a function has parentheses there.
const callable = `(function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name)])`
const prototype = `[
  ${callable}
  (pointer_declarator declarator: ${callable})
  (pointer_declarator declarator: (pointer_declarator declarator: ${callable}))
  (reference_declarator ${callable})
]`
const initialized = '(declaration declarator: (init_declarator "=" value: (_) @value)) @variable'

export const cpp = `
(function_definition) @function
(declaration declarator: ${prototype}) @function
(field_declaration declarator: ${prototype}) @method
(class_specifier body: (_)) @class
(struct_specifier body: (_)) @struct
(union_specifier body: (_)) @union
(enum_specifier body: (_)) @enum
(namespace_definition) @namespace
(concept_definition) @concept
(alias_declaration) @type
(type_definition type: (struct_specifier body: (_) @body)) @struct
(type_definition type: (union_specifier body: (_) @body)) @union
(type_definition type: (enum_specifier body: (_) @body)) @enum
(type_definition) @type
(type_definition type: [(struct_specifier) (union_specifier) (enum_specifier)] @skip)
(preproc_def value: (_)) @macro
(preproc_function_def value: (_) @value) @macro
(preproc_ifdef ${initialized})
(namespace_definition body: (declaration_list ${initialized}))

(template_declaration) @wrap
(comment) @doc
`

export const cppTop = `
(translation_unit ${initialized})
`

export const bash = `
(function_definition) @function

(comment) @doc
`

export const bashTop = `
(program (declaration_command (variable_assignment) @variable) @wrap)
(program (variable_assignment) @variable)
`

export const css = `
(rule_set (selectors) @name (block) @body) @rule
(keyframes_statement (keyframes_name) @name (_) @body) @keyframes

(comment) @doc
`
