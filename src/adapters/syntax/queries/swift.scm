(class_declaration "extension" name: (_) @name) @scope
(class_declaration "struct" name: (_) @name) @definition.struct
(class_declaration "enum" name: (_) @name) @definition.enum
(class_declaration name: (_) @name) @definition.class
(protocol_declaration name: (_) @name) @definition.interface
(enum_entry name: (simple_identifier) @name) @definition.enum-member
(typealias_declaration name: (type_identifier) @name) @definition.type
(init_declaration "init" @name) @definition.constructor
(class_body (function_declaration name: (simple_identifier) @name) @definition.method)
(enum_class_body (function_declaration name: (simple_identifier) @name) @definition.method)
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(function_declaration name: (simple_identifier) @name) @definition.function
(source_file (property_declaration (value_binding_pattern "let") name: (pattern bound_identifier: (_) @name)) @definition.const)
(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.var)
(class_body (property_declaration name: (pattern bound_identifier: (_) @name)) @definition.field)
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @definition.field

(parameter name: (simple_identifier) @local)
(property_declaration name: (pattern bound_identifier: (_) @local))
(value_argument_label (simple_identifier) @ignored)

(import_declaration (identifier) @import.module) @import

(call_expression . (simple_identifier) @reference.call)
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @reference.call)))
(type_identifier) @reference.type
(simple_identifier) @reference.use

(comment) @comment
(multiline_comment) @comment
