(package_declaration (_) @name) @definition.module
(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_constant name: (_) @name) @definition.enum-member
(constructor_declaration name: (_) @name) @definition.constructor
(compact_constructor_declaration name: (_) @name) @definition.constructor
(method_declaration name: (_) @name) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method
(constant_declaration declarator: (variable_declarator name: (_) @name)) @definition.const
(field_declaration (modifiers) @modifiers declarator: (variable_declarator name: (_) @name) (#match? @modifiers "static.*final")) @definition.const
(field_declaration declarator: (variable_declarator name: (_) @name)) @definition.field

(formal_parameter name: (_) @local)
(spread_parameter (variable_declarator name: (_) @local))
(local_variable_declaration declarator: (variable_declarator name: (_) @local))
(enhanced_for_statement name: (_) @local)
(catch_formal_parameter name: (_) @local)
(resource name: (_) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(type_parameter (type_identifier) @local)

(import_declaration (_) @import.module (asterisk) @import.name) @import
(import_declaration [(scoped_identifier) (identifier)] @import.tree) @import
(scoped_identifier (identifier) @ignored)

(method_invocation name: (_) @reference.call)
(object_creation_expression type: (type_identifier) @reference.call)
(object_creation_expression type: (generic_type (type_identifier) @reference.call))
(method_reference (identifier) @reference.call .)
(marker_annotation name: (identifier) @reference.type)
(annotation name: (identifier) @reference.type)
(type_identifier) @reference.type
(field_access field: (_) @reference.use)
(identifier) @reference.use

(line_comment) @comment
(block_comment) @comment
