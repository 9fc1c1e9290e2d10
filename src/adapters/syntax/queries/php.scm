(namespace_definition name: (_) @name) @definition.module
(function_definition name: (_) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(trait_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_case name: (_) @name) @definition.enum-member
(method_declaration name: (_) @name (#eq? @name "__construct")) @definition.constructor
(method_declaration name: (_) @name) @definition.method
(const_declaration (const_element . (name) @name)) @definition.const
(property_declaration (property_element name: (variable_name (name) @name))) @definition.field
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field
(function_call_expression function: (name) @how arguments: (arguments . (argument (_) @name)) (#eq? @how "define")) @definition.const

(variable_name (name) @ignored)
(namespace_name (name) @ignored)
(namespace_use_declaration (namespace_name) @import.module body: (namespace_use_group)) @import
(namespace_use_group (namespace_use_clause . (name) @import.name))
(namespace_use_declaration (namespace_use_clause . (_) @import.tree)) @import
(require_once_expression (_) @import.module) @import
(require_expression (_) @import.module) @import
(include_expression (_) @import.module) @import
(include_once_expression (_) @import.module) @import

(function_call_expression function: (name) @reference.call)
(function_call_expression function: (qualified_name (name) @reference.call))
(member_call_expression name: (name) @reference.call)
(nullsafe_member_call_expression name: (name) @reference.call)
(scoped_call_expression name: (name) @reference.call)
(scoped_call_expression scope: (name) @reference.type)
(class_constant_access_expression . (name) @reference.type)
(object_creation_expression (name) @reference.call)
(object_creation_expression (qualified_name (name) @reference.call))
(named_type (name) @reference.type)
(named_type (qualified_name (name) @reference.type))
(base_clause (name) @reference.type)
(class_interface_clause (name) @reference.type)
(use_declaration (name) @reference.type)
(attribute (name) @reference.type)
(name) @reference.use

(comment) @comment
