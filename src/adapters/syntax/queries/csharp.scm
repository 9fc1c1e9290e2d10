(namespace_declaration name: (_) @name) @definition.module
(file_scoped_namespace_declaration name: (_) @name) @definition.module
(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(struct_declaration name: (_) @name) @definition.struct
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_member_declaration name: (_) @name) @definition.enum-member
(delegate_declaration name: (_) @name) @definition.type
(constructor_declaration name: (_) @name) @definition.constructor
(method_declaration name: (_) @name) @definition.method
(local_function_statement name: (_) @name) @definition.function
(property_declaration name: (_) @name accessors: (_)? @body) @definition.field
(event_declaration name: (_) @name) @definition.field
(field_declaration (modifier) @modifier (variable_declaration (variable_declarator name: (_) @name)) (#eq? @modifier "const")) @definition.const
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.field

(parameter name: (_) @local)
(implicit_parameter) @local
(local_declaration_statement (variable_declaration (variable_declarator name: (_) @local)))
(foreach_statement left: (identifier) @local)
(catch_declaration name: (_) @local)
(type_parameter name: (_) @local)
(declaration_expression name: (_) @local)
(declaration_pattern name: (_) @local)

(using_directive name: (_) @import.name (_) @import.module .) @import
(using_directive !name [(identifier) (qualified_name)] @import.module) @import

(invocation_expression function: (identifier) @reference.call)
(invocation_expression function: (generic_name (identifier) @reference.call))
(invocation_expression function: (member_access_expression name: (identifier) @reference.call))
(invocation_expression function: (member_access_expression name: (generic_name (identifier) @reference.call)))
(invocation_expression function: (conditional_access_expression (member_binding_expression name: (identifier) @reference.call)))
(object_creation_expression type: (identifier) @reference.call)
(object_creation_expression type: (generic_name (identifier) @reference.call))
(attribute name: (identifier) @reference.type)
(base_list (identifier) @reference.type)
(generic_name (identifier) @reference.type)
(type_argument_list (identifier) @reference.type)
(_ type: (identifier) @reference.type)
(_ returns: (identifier) @reference.type)
(nullable_type (identifier) @reference.type)
(array_type (identifier) @reference.type)
(identifier) @reference.use

(comment) @comment
