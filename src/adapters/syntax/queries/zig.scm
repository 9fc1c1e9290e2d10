(variable_declaration (identifier) @name (struct_declaration)) @definition.struct
(variable_declaration (identifier) @name (union_declaration)) @definition.struct
(variable_declaration (identifier) @name (opaque_declaration)) @definition.struct
(variable_declaration (identifier) @name (enum_declaration)) @definition.enum
(variable_declaration (identifier) @name (error_set_declaration)) @definition.enum
(source_file (variable_declaration "const" . (identifier) @name) @definition.const)
(source_file (variable_declaration . (identifier) @name) @definition.var)
(source_file (variable_declaration "var" . (identifier) @name) @definition.var)
(struct_declaration (variable_declaration "const" . (identifier) @name) @definition.const)
(struct_declaration (function_declaration name: (_) @name) @definition.method)
(function_declaration name: (_) @name) @definition.function
(enum_declaration (container_field . (_) @name) @definition.enum-member)
(error_set_declaration (identifier) @name @definition.enum-member)
(container_field name: (_) @name) @definition.field
(test_declaration (string) @name (block) @body) @definition.function

(parameter name: (_) @local)
(variable_declaration (identifier) @local)
(payload (identifier) @local)

(builtin_function (builtin_identifier) @how (arguments (string) @import.module) (#eq? @how "@import")) @import

(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression member: (_) @reference.call))
(parameter type: (identifier) @reference.type)
(pointer_type (identifier) @reference.type)
(slice_type (identifier) @reference.type)
(field_expression member: (_) @reference.use)
(identifier) @reference.use

(comment) @comment
