(class_definition body: (block (function_definition name: (_) @name (#eq? @name "__init__")) @definition.constructor))
(class_definition body: (block (function_definition name: (_) @name) @definition.method))
(class_definition body: (block (decorated_definition definition: (function_definition name: (_) @name) @definition.method)))
(function_definition name: (_) @name) @definition.function
(class_definition name: (_) @name) @definition.class
(module (expression_statement (assignment left: (identifier) @name (#match? @name "^_*[A-Z][A-Z0-9_]*$")) @definition.const))
(module (expression_statement (assignment left: (identifier) @name) @definition.var))
(module (if_statement consequence: (block (expression_statement (assignment left: (identifier) @name) @definition.var))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @definition.field)))
(type_alias_statement left: (type (identifier) @name)) @definition.type

(parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_parameter (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(lambda_parameters (identifier) @local)
(assignment left: (identifier) @local)
(assignment left: (pattern_list (identifier) @local))
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(as_pattern_target (identifier) @local)

(import_statement name: (dotted_name) @import.module) @import
(import_statement name: (aliased_import name: (dotted_name) @import.module)) @import
(import_from_statement module_name: (_) @import.module) @import
(import_from_statement name: (dotted_name) @import.name)
(import_from_statement name: (aliased_import name: (dotted_name) @import.name))
(import_from_statement (wildcard_import) @import.name)

(call function: (identifier) @reference.call)
(call function: (attribute attribute: (_) @reference.call))
(type (identifier) @reference.type)
(type (binary_operator (identifier) @reference.type))
(type (generic_type (identifier) @reference.type))
(type (attribute attribute: (identifier) @reference.type))
(class_definition superclasses: (argument_list (identifier) @reference.type))
(class_definition superclasses: (argument_list (attribute attribute: (_) @reference.type)))
(attribute attribute: (_) @reference.use)
(keyword_argument name: (identifier) @ignored)
(identifier) @reference.use

(module . (comment)* . (expression_statement (string) @doc))
(function_definition body: (block . (comment)* . (expression_statement (string) @doc)))
(class_definition body: (block . (comment)* . (expression_statement (string) @doc)))
(comment) @comment
