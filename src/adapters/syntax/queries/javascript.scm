; Definitions. The first pattern that matches a name decides its kind.
(function_declaration name: (_) @name) @definition.function
(generator_function_declaration name: (_) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(class name: (_) @name) @definition.class
(method_definition name: (property_identifier) @name (#eq? @name "constructor")) @definition.constructor
(method_definition name: (_) @name) @definition.method
(program [(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @definition.function)
          (export_statement (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @definition.function))])
(program [(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.const)
          (export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @definition.const))])
(program [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.var)
          (variable_declaration (variable_declarator name: (identifier) @name) @definition.var)
          (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @definition.var))])
(program (expression_statement (assignment_expression
  left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression)]) @definition.function))

(export_specifier name: (_) @exported)
(export_statement value: (identifier) @exported)
(assignment_expression left: (member_expression object: (identifier) @object property: (_) @exported) (#eq? @object "exports"))
(assignment_expression left: (member_expression object: (identifier) @object) right: (identifier) @exported (#eq? @object "module"))
(assignment_expression left: (member_expression object: (identifier) @object)
  right: (object (shorthand_property_identifier) @exported) (#eq? @object "module"))

(variable_declarator name: (_) @local)
(shorthand_property_identifier_pattern) @local
(array_pattern (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
(arrow_function parameter: (identifier) @local)

; Imports.
(import_statement source: (string) @import.module) @import
(import_specifier name: (_) @import.name)
(import_clause (identifier) @import.name)
(namespace_import (identifier) @import.name)
(export_statement source: (string) @import.module) @import
(export_statement (export_clause (export_specifier name: (_) @import.name)) source: (_))
(call_expression function: (import) arguments: (arguments . (string) @import.module)) @import
(variable_declarator value: (call_expression function: (identifier) @callee arguments: (arguments . (string) @import.module) (#eq? @callee "require"))) @import
(variable_declarator name: (object_pattern [(shorthand_property_identifier_pattern) @import.name (pair_pattern key: (_) @import.name)])
  value: (call_expression function: (identifier) @callee (#eq? @callee "require")))
(call_expression function: (identifier) @callee arguments: (arguments . (string) @import.module) (#eq? @callee "require")) @import

; References.
(call_expression function: (identifier) @reference.call)
(call_expression function: (member_expression property: (_) @reference.call))
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression property: (_) @reference.call))
(identifier) @reference.use
(shorthand_property_identifier) @reference.use
(member_expression property: (_) @reference.use)

(comment) @comment
