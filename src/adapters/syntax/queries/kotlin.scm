(package_header (identifier) @name) @definition.module
(class_declaration "interface" (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration (type_identifier) @name (class_body)? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.class
(enum_entry (simple_identifier) @name) @definition.enum-member
(type_alias (type_identifier) @name) @definition.type
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.field
(source_file (function_declaration (simple_identifier) @name (function_body)? @body) @definition.function)
(class_body (function_declaration (simple_identifier) @name (function_body)? @body) @definition.method)
(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function
(property_declaration (modifiers (property_modifier) @modifier) (variable_declaration (simple_identifier) @name) (#eq? @modifier "const")) @definition.const
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @definition.var)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @definition.field)

(parameter (simple_identifier) @local)
(variable_declaration (simple_identifier) @local)

(import_header (identifier) @import.tree) @import

(call_expression . (simple_identifier) @reference.call)
(call_expression . (navigation_expression (navigation_suffix (simple_identifier) @reference.call)))
(type_identifier) @reference.type
(simple_identifier) @reference.use

(line_comment) @comment
(multiline_comment) @comment
