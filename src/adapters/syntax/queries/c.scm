(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
]) @definition.function
(declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
]) @definition.function
(struct_specifier name: (_) @name body: (_)) @definition.struct
(union_specifier name: (_) @name body: (_)) @definition.struct
(enum_specifier name: (_) @name body: (_)) @definition.enum
(enumerator name: (_) @name) @definition.enum-member
(type_definition type: [(struct_specifier !name) (union_specifier !name)] declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name) declarator: (type_identifier) @name) @definition.enum
(type_definition type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: (type_identifier) @name @definition.type)
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @definition.type
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: (field_identifier) @name)
  (array_declarator declarator: (field_identifier) @name)
  (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
  (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
]) @definition.field
([(translation_unit (declaration declarator: [(identifier) @name
    (init_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (init_declarator declarator: (array_declarator declarator: (identifier) @name))
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))]) @definition.var)
  (preproc_ifdef (declaration declarator: [(identifier) @name
    (init_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)]) @definition.var)])
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro

(parameter_declaration declarator: [(identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local))
  (array_declarator declarator: (identifier) @local)])
(declaration declarator: [(identifier) @local
  (init_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (identifier) @local)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
  (array_declarator declarator: (identifier) @local)
  (init_declarator declarator: (array_declarator declarator: (identifier) @local))])
(preproc_params (identifier) @local)

(preproc_include path: (_) @import.module) @import

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (_) @reference.call))
(type_identifier) @reference.type
(field_identifier) @reference.use
(identifier) @reference.use

(comment) @comment
